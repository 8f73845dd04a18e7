// What tests in a browser share: the program, the browser, and pages that are opened and watched.
import {mkdirSync, mkdtempSync, readFileSync, rmSync} from "node:fs";
import {tmpdir} from "node:os";
import {dirname, join, resolve} from "node:path";
import {fileURLToPath, pathToFileURL} from "node:url";
import puppeteer from "puppeteer-core";

export const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
export const gdsim = resolve(process.env.GDSIM ?? join(root, "build/release/tools/gdsim"));
export const screenshots = resolve(process.env.SCREENSHOTS ?? join(root, "build/release/screenshots"));

/// A browser and a folder for pages, until close() is called.
export async function openBrowser() {
  const folder = mkdtempSync(join(tmpdir(), "gdsim-browser-"));
  mkdirSync(screenshots, {recursive: true});
  const browser = await puppeteer.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--font-render-hinting=none"],
  });
  const close = async () => {
    await browser.close();
    rmSync(folder, {recursive: true, force: true});
  };
  return {browser, folder, close};
}

/// A new page. Every complaint, also about its content policy, and every request that may not be made is in `faults`.
export async function watchedPage(browser, mayRequest) {
  const page = await browser.newPage();
  page.faults = [];
  page.on("console", (message) => {
    if (["error", "warn"].includes(message.type())) page.faults.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => page.faults.push(`error: ${error.message}`));
  page.on("request", (request) => {
    if (!mayRequest(request) && !request.url().startsWith("data:")) page.faults.push(request.url());
  });
  return page;
}

/// Opens a page, which may request nothing but itself.
export async function openPage(browser, file, {width = 1200, dark = false, script = true} = {}, hash = "") {
  const page = await watchedPage(browser, (request) => request.isNavigationRequest());
  await page.setViewport({width, height: 900});
  await page.setJavaScriptEnabled(script);
  await page.emulateMediaFeatures([{name: "prefers-color-scheme", value: dark ? "dark" : "light"}]);
  await page.goto(pathToFileURL(file).href + hash, {waitUntil: "load"});
  return page;
}

/// The rows of a CSV file without quoted cells, by the names of its columns.
export const csvRows = (file) => {
  const [header, ...rows] = readFileSync(file, "utf8").trim().split("\n").map((row) => row.split(","));
  return rows.map((cells) => Object.fromEntries(cells.map((cell, i) => [header[i], cell])));
};

/// Where an element is once the page has scrolled to it.
export async function boxInSight(page, selector) {
  await page.$eval(selector, (element) => element.scrollIntoView({block: "center"}));
  return (await page.$(selector)).boundingBox();
}

/// The least distance of two colours (CIE 1976, where 2.3 is just seen) in the eyes of people who see all colours, of
/// protanopes, deuteranopes and tritanopes (Machado, Oliveira and Fernandes 2009, severity 1). Runs in the page.
export function colourDistance(a, b) {
  const eyes = [[[1, 0, 0], [0, 1, 0], [0, 0, 1]],
                [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
                [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
                [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]]];
  const linear = (name) => {
    const colour = getComputedStyle(document.documentElement).getPropertyValue(name).trim();
    return [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16) / 255)
      .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  };
  const lab = (rgb) => {
    const [x, y, z] = [[0.4124564, 0.3575761, 0.1804375, 0.95047], [0.2126729, 0.7151522, 0.072175, 1],
                       [0.0193339, 0.119192, 0.9503041, 1.08883]]
      .map(([r, g, b, white]) => (r * rgb[0] + g * rgb[1] + b * rgb[2]) / white)
      .map((part) => (part > 0.008856 ? Math.cbrt(part) : 7.787 * part + 16 / 116));
    return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
  };
  const seen = (eye, name) => lab(eye.map((row) =>
    Math.min(Math.max(row.reduce((sum, factor, i) => sum + factor * linear(name)[i], 0), 0), 1)));
  return Math.min(...eyes.map((eye) => Math.hypot(...seen(eye, a).map((value, i) => value - seen(eye, b)[i]))));
}

/// How a colour stands out from another: 1 is not at all, 21 black on white. Runs in the page.
export function contrastOf(a, b) {
  const light = (name) => {
    const colour = getComputedStyle(document.documentElement).getPropertyValue(name).trim();
    const channels = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16) / 255)
      .map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
    return 0.2126 * channels[0] + 0.7152 * channels[1] + 0.0722 * channels[2];
  };
  const [low, high] = [light(a), light(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

/// By how many pixels a page is wider than its window; below 1, it is not.
export const overflow = (page) => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
