// The list of linked files, read from list.json beside this module or in the folder above.

import { existsSync, readFileSync } from "node:fs";

import { List } from "./list.mjs";

export { List, decode, encode } from "./list.mjs";

let list = null;

function standard() {
	if (list === null) {
		const path = ["list.json", "../list.json"].map((p) => new URL(p, import.meta.url)).find((p) => existsSync(p));
		list = new List(JSON.parse(readFileSync(path, "utf8")));
	}
	return list;
}

/** Returns the link that a URL is, or null. */
export const match = (url) => standard().match(url);

/** Returns the URL inside the wrappers around a URL, or the URL itself. */
export const unwrap = (url) => standard().unwrap(url);
