/** A link to a file, a folder or a document at a file host. */
export interface Link {
	/** The host, in small letters, such as "dropbox". */
	provider: string;
	/** "native" is a document that exists only at the host. "page" can lead to a file, a folder or several files. */
	kind: "file" | "folder" | "native" | "page";
	/** The name of the file, decoded, or "". It can contain any character: do not use it as a path. */
	name: string;
	/** The URL that gives the octets, or "". */
	direct: string;
	/** Why there is no such URL: a login, a program of the host, the key in the fragment, or another request first. */
	needs: "" | "account" | "program" | "key" | "ask";
}

/** Returns the link that a URL is, or null. The URL has no wrapper: see unwrap. */
export function match(url: string): Link | null;

/** Returns the URL inside the wrappers around a URL, or the URL itself. */
export function unwrap(url: string): string;

/** A list of linked files, for programs that load list.json themselves. */
export class List {
	constructor(data: unknown);
	match(url: string): Link | null;
	unwrap(url: string): string;
}

/** Octets as a text, in which those that are not UTF-8 are lone surrogates from U+DC80 on. */
export function decode(octets: Uint8Array): string;

/** The octets of such a text. */
export function encode(text: string): Uint8Array;
