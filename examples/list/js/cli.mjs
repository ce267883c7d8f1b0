#!/usr/bin/env node
// Reads URLs from standard input and writes one JSON object a line.

import { readFileSync, writeSync } from "node:fs";

import { decode, encode, match, unwrap } from "./index.mjs";

const shown = new TextDecoder("utf-8", { ignoreBOM: true });
const input = readFileSync(0);
let out = "";
for (let start = 0; start < input.length;) {
	let end = input.indexOf(10, start);
	if (end < 0) end = input.length;
	const url = decode(input.subarray(start, end > start && input[end - 1] === 13 ? end - 1 : end));
	start = end + 1;
	const unwrapped = unwrap(url);
	const { provider = "", kind = "", name = "", direct = "" } = match(unwrapped) ?? {};
	const answer = { url, provider, kind, name, direct, unwrapped };
	for (const key in answer) answer[key] = shown.decode(encode(answer[key]));
	out += JSON.stringify(answer) + "\n";
}
const octets = new TextEncoder().encode(out);
try {
	for (let at = 0; at < octets.length;) at += writeSync(1, octets, at);
} catch (e) {
	if (e.code !== "EPIPE") throw e;
	process.exitCode = 1; // nobody reads the rest
}
