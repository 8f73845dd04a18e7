// Which row things that last for a while have, so that those in one row never overlap.
const gdsimPacking = (() => {
  "use strict";
  /// For each item the lowest row that is free when it begins; items are in the order of their begins.
  const rowsFor = (items) => {
    const ends = [];
    const rows = items.map(({begin, finish}) => {
      let row = ends.findIndex((end) => end <= begin);
      if (row < 0) row = ends.push(0) - 1;
      ends[row] = finish;
      return row;
    });
    return {rows, count: ends.length};
  };
  return {rowsFor};
})();
