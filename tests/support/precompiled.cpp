// Its object is empty: what it is compiled with is precompiled for all tests.
