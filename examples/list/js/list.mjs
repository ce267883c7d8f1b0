// The list of linked files: which URLs are files, and which URL is inside another. Nothing here
// contacts a server. SPEC.md of the list describes every step. Octets that are not UTF-8 are lone
// surrogates from U+DC80 on in the texts.

const MAX_BYTES = 64 << 10;
const MAX_NESTED = 8;
const MAX_MAPPED = 4 * 253 + 1; // the mapping of UTS 46 takes more than linear time
const CAUGHT = ["{id}", "{owner}", "{type}"];

/** Thrown where a pipeline has no value. */
class Failed extends Error {}

const fail = () => { throw new Failed(); };

/** Returns what f returns, or null if it has failed. */
function attempt(f) {
	try {
		return f();
	} catch (e) {
		if (e instanceof Failed) return null;
		throw e;
	}
}

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Returns octets as a text. */
export function decode(octets) {
	try {
		return strict.decode(octets);
	} catch {
		let text = "";
		for (let i = 0; i < octets.length;) {
			const n = octets[i] < 0xc0 ? 1 : octets[i] < 0xe0 ? 2 : octets[i] < 0xf0 ? 3 : 4;
			try {
				text += strict.decode(octets.subarray(i, i + n));
				i += n;
			} catch {
				text += String.fromCharCode(0xdc00 + octets[i++]);
			}
		}
		return text;
	}
}

/** Returns the octets of a text. */
export function encode(text) {
	const parts = text.split(/([\udc80-\udcff])/u).map((s, i) => (i % 2 ? Uint8Array.of(s.charCodeAt(0) & 0xff) : new TextEncoder().encode(s)));
	return parts.length === 1 ? parts[0] : Uint8Array.from(parts.flatMap((p) => [...p]));
}

function percent(s) {
	if (/%(?![0-9A-Fa-f]{2})/.test(s)) fail();
	if (!s.includes("%")) return s;
	const out = [];
	const octets = encode(s);
	for (let i = 0; i < octets.length; i++) {
		const escaped = octets[i] === 0x25;
		out.push(escaped ? parseInt(String.fromCharCode(octets[i + 1], octets[i + 2]), 16) : octets[i]);
		if (escaped) i += 2;
	}
	return decode(Uint8Array.from(out));
}

const escape = (s) => Array.from(encode(s), (c) => {
	const char = String.fromCharCode(c);
	return /[-._~0-9A-Za-z]/.test(char) ? char : "%" + c.toString(16).toUpperCase().padStart(2, "0");
}).join("");

const ipv4 = /^(?:(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])(?:\.(?!$)|$)){4}$/;

/** Returns the one form of a host, or null (URL Standard section 3.5, without numbers in other forms). */
function canonical(host) {
	if (host.startsWith("[")) {
		const address = host.includes("%") ? "" : hostname(host).slice(1, -1);
		const mapped = /^::ffff:([0-9a-f]+):([0-9a-f]+)$/.exec(address);
		if (!mapped) return address || null;
		return mapped.slice(1).flatMap((h) => [parseInt(h, 16) >> 8, parseInt(h, 16) & 255]).join(".");
	}
	let name = host.toLowerCase();
	let rooted = name.endsWith(".");
	if (/[^\0-\x7f]|(?:^|\.)xn--/.test(name)) {
		if (encode(host.replace(/[.\u3002\uff0e\uff61]$/, "")).length > MAX_MAPPED) return null;
		const mapped = /[\0-\x20\x7f"#%/:<>?@[\\\]^_`{|}]/.test(host) ? "" : hostname(host);
		rooted = mapped.endsWith(".");
		if (ipv4.test(mapped) && host.normalize("NFKC") !== mapped) return null;
		name = mapped;
	}
	if (rooted) name = name.slice(0, -1);
	const labels = name.split(".");
	if (name.length > 253 || !labels.every((l) => /^[a-z0-9_](?:[-a-z0-9_]{0,61}[a-z0-9_])?$/.test(l))) return null;
	return /^(?:[0-9]+|0x[0-9a-f]*)$/.test(labels.at(-1)) && (rooted || !ipv4.test(name)) ? null : name;
}

function hostname(host) {
	try {
		return new globalThis.URL("http://" + host).hostname;
	} catch {
		return "";
	}
}

function withoutDots(path) {
	if (!path.includes("/.") && !path.includes("/%2")) return path;
	const out = [];
	const segments = path.slice(1).split("/");
	segments.forEach((segment, i) => {
		const dots = segment.replace(/%2e/gi, ".");
		if (dots === "..") out.pop();
		if (dots !== "." && dots !== "..") out.push(segment);
		else if (i === segments.length - 1) out.push("");
	});
	return "/" + out.join("/");
}

/** Returns the parts of an absolute http or https URL. query and fragment are null if there is none. */
function parse(text) {
	// eslint-disable-next-line no-control-regex
	if (/[\0-\x20\x7f\\<>"]|[\ud800-\udfff]/u.test(text) || encode(text).length > MAX_BYTES) fail();
	const m = /^(https?):\/\/([^/?#]*)([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/is.exec(text) ?? fail();
	let authority = m[2];
	if (authority.includes("%")) {
		const [, host, port] = /^([^:]*)(.*)$/s.exec(authority);
		const plain = percent(host);
		if (/[/?#@:[\]%\\]|[\ud800-\udfff]/u.test(plain)) fail();
		authority = plain + port;
	}
	const at = /^(\[.*\]|[^:[]*)(?::([0-9]*))?$/s.exec(authority) ?? fail();
	const u = { scheme: m[1].toLowerCase(), host: canonical(at[1]) ?? fail(), query: m[4] ?? null, fragment: m[5] ?? null };
	const port = at[2] ? Number(at[2]) : 0;
	if (port > 65535 || (at[2] && port === 0)) fail();
	u.port = port === { http: 80, https: 443 }[u.scheme] ? 0 : port;
	u.path = withoutDots(m[3]);
	u.origin = u.scheme + "://" + (u.host.includes(":") ? `[${u.host}]` : u.host) + (u.port ? ":" + u.port : "");
	u.link = u.origin + u.path + (u.query === null ? "" : "?" + u.query);
	const plain = u.path.replace(/%([0-9A-Fa-f]{2})/g, (all, hex) => {
		const c = String.fromCharCode(parseInt(hex, 16));
		return /[-._~:!0-9A-Za-z]/.test(c) ? c : all;
	});
	u.segments = plain.split("/").filter((s) => s !== "");
	return u;
}

/** Cuts a text at the first separator. */
function cut(s, separator) {
	const i = s.indexOf(separator);
	return i < 0 ? [s, ""] : [s.slice(0, i), s.slice(i + separator.length)];
}

function param(u, name) {
	const values = (u.query ?? "").split("&").map((f) => cut(f, "=")).filter(([n]) => n === name);
	return values.length === 1 ? values[0][1] : fail();
}

function setParam(text, name, value) {
	const [head, query] = cut(cut(text, "#")[0], "?");
	const out = [];
	let done = false;
	for (const field of query === "" ? [] : query.split("&")) {
		if (cut(field, "=")[0] !== name) {
			out.push(field);
		} else if (!done) {
			out.push(name + "=" + value);
			done = true;
		}
	}
	if (!done) out.push(name + "=" + value);
	return head + "?" + out.join("&");
}

function fromBase64(s) {
	let end = s.length;
	while (s[end - 1] === "=") end--;
	s = s.slice(0, end).replace(/[\r\n]/g, "").replaceAll("-", "+").replaceAll("_", "/");
	if (!/^[+/0-9A-Za-z]*$/.test(s) || s.length % 4 === 1) fail();
	return decode(Uint8Array.from(atob(s), (c) => c.charCodeAt(0)));
}

function proofpoint(text) {
	const begin = text.indexOf("/v3/__") + "/v3/__".length;
	const end = text.indexOf("__;", begin);
	const close = text.indexOf("!", end);
	if (begin < "/v3/__".length || end < 0 || close < 0) fail();
	const target = text.slice(begin, end);
	const replaced = fromBase64(text.slice(end + "__;".length, close));
	if (/[\ud800-\udfff]/u.test(replaced)) fail();
	const octets = attempt(() => restore(latin1(target), latin1(replaced)));
	return octets === null ? restore(target, replaced) : decode(Uint8Array.from(octets, (c) => c.charCodeAt(0)));
}

/** Returns the octets of a text as characters. */
const latin1 = (text) => Array.from(encode(text), (c) => String.fromCharCode(c)).join("");

/** Returns a target of Proofpoint with its asterisks undone. Its letters are octets, or characters. */
function restore(target, replaced) {
	const units = [...replaced];
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
	let at = 0;
	const out = target.replace(/\*(?:\*(.))?/gsu, (_, letter) => {
		const n = letter === undefined ? 1 : letters.indexOf(letter) + 2;
		at += n;
		if ((letter !== undefined && n < 2) || at > units.length) fail();
		return units.slice(at - n, at).join("");
	});
	return at === units.length ? out : fail();
}

function find(text, arg) {
	const [how, path] = cut(arg, ":");
	if (how !== "json") fail(); // for programs that have an answer
	let value;
	try {
		value = JSON.parse(text);
	} catch {
		fail();
	}
	for (const name of path.split(".")) value = value !== null && typeof value === "object" && Object.hasOwn(value, name) ? value[name] : "";
	return typeof value === "string" ? value : JSON.stringify(value);
}

const isToken = (s) => s !== "." && s !== ".." && /^[-_.!~:0-9A-Za-z]+$/.test(s);

function isWord(s) {
	s = cut(s, ".")[0];
	const capitals = s.replace(/[^A-Z]/g, "").length;
	if (!/^[-_~!A-Za-z]*$/.test(s) || (/^[a-z]*$/.test(s) && (s.length >= 15 || /[bcdfghjklmnpqrstvwxz]{5}/.test(s)))) return false;
	if (s.length >= 12 && 4 * capitals <= s.length + 2) return /[a-z]/.test(s) && !/[A-Z](?![a-z])/.test(s);
	return !/(?<=[A-Za-z])[A-Z]/.test(s);
}

/** Returns the pieces of a path by a pattern, or null. */
function shape(pattern, segments) {
	const caught = {};
	const rest = [...segments];
	for (const want of pattern === "" || pattern === "/" ? [] : pattern.slice(1).split("/")) {
		if (want === "*") return rest.length === 0 ? caught : { ...caught, last: rest.at(-1), rest: rest.join("/") };
		if (rest.length === 0) return null;
		const got = rest.shift();
		if (CAUGHT.includes(want)) {
			if (!isToken(got)) return null;
			caught[want.slice(1, -1)] = got;
		} else if (want === "{name}") {
			caught.name = attempt(() => percent(got));
		} else if (want !== "{}" && got !== want && !(want.endsWith(".aspx") && got.toLowerCase() === want.toLowerCase())) {
			return null;
		}
	}
	return rest.length === 0 ? caught : null;
}

/** Returns a row with one of its cases: pieces and conditions of both count. */
const merged = (row, own) => ({
	...row, ...own, take: { ...row.take, ...own.take },
	if: [...(row.if ?? []), ...(own.if ?? [])], unless: [...(row.unless ?? []), ...(own.unless ?? [])],
});

/** The pieces of a URL and of a row. */
class Env {
	constructor(list, url, written, caught, defs) {
		Object.assign(this, { list, url, written, caught: { ...caught }, defs: { ...defs } });
	}

	piece(name, url) {
		if (["link", "host", "origin", "path"].includes(name)) return url[name];
		if (name === "segments") return url.segments.join("/");
		if (name === "text") return this.written;
		if (Object.hasOwn(this.defs, name)) {
			const alternatives = this.defs[name];
			delete this.defs[name]; // a piece of the same name is that of the path from here on
			this.caught[name] = this.value(alternatives);
		}
		return (name === "query" || name === "fragment" ? url[name] : this.caught[name]) ?? fail();
	}

	/** Returns the value of the first pipeline that has one, or null. */
	value(alternatives) {
		for (const pipe of typeof alternatives === "string" ? [alternatives] : alternatives ?? []) {
			const v = attempt(() => this.run(pipe));
			if (v !== null) return v;
		}
		return null;
	}

	run(pipe) {
		let v = "";
		let url = this.url;
		for (const step of pipe.split(" | ")) {
			const [verb, arg] = cut(step, " ");
			switch (verb) {
			case "param": v = param(url, arg); break;
			case "url": url = parse(v); break;
			case "percent": v = percent(v); break;
			case "base64": v = fromBase64(v); break;
			case "proofpoint": v = proofpoint(v); break;
			case "lower": v = v.replace(/[A-Z]+/g, (s) => s.toLowerCase()); break;
			case "match": case "not": v = this.compare(verb, arg, v); break;
			case "set": {
				const [name, template] = cut(arg, "=");
				const value = attempt(() => this.fill(template, v));
				if (value !== null) v = setParam(v, name, value);
				break;
			}
			case "to": v = this.fill(arg, v); break;
			case "replace": {
				const [old, template] = cut(arg, " ");
				if (v.includes(old)) v = v.replaceAll(old, this.fill(template, v).replaceAll("$", "$$$$"));
				break;
			}
			case "find": v = find(v, arg); break;
			default: v = this.piece(verb, url);
			}
		}
		return v;
	}

	compare(verb, arg, v) {
		const name = /^\{([a-z0-9]+)\}$/.exec(arg)?.[1];
		let m = null;
		if (name === undefined || Object.hasOwn(this.list.patterns, name)) m = this.list.pattern(arg).exec(v);
		else if (attempt(() => this.piece(name, this.url)) === v) m = [v];
		if (verb === "not") return m === null ? v : fail();
		if (m === null) fail();
		return m.length > 1 ? m[1] ?? fail() : v;
	}

	fill(template, v) {
		return template.replace(/\{([a-z0-9]*)([%=]?)\}/g, (_, name, form) => {
			const text = name === "" ? v : this.piece(name, this.url);
			if ((form === "" && name !== "" && !isToken(text)) || (form === "%" && text === "")) fail();
			return form === "%" ? escape(text) : text;
		});
	}

	holds(alternatives) { return this.value(alternatives) !== null; }

	all(row) { return (row.if ?? []).every((c) => this.holds(c)) && !(row.unless ?? []).some((c) => this.holds(c)); }
}

/** A list of linked files, from the JSON of list.json. */
export class List {
	constructor(data) {
		Object.assign(this, { patterns: data.patterns, pieces: data.pieces, sets: data.sets, words: new Set(data.words), compiled: new Map() });
		this.links = this.byHost(data.links);
		this.wrappers = this.byHost(data.wrappers);
	}

	expand(names) { return names.flatMap((n) => (n.startsWith("@") ? this.sets[n.slice(1)] : [n])); }

	byHost(rows) {
		const index = new Map();
		rows.forEach((row, i) => {
			for (const host of this.expand(row.hosts ?? ["*"])) {
				if (!index.has(host)) index.set(host, new Map());
				index.get(host).set(i, row);
			}
		});
		return index;
	}

	/** Returns the rows for a host, in order: those for any host are the last. */
	rows(index, host) {
		const found = new Map(index.get(host));
		for (let i = host.indexOf("."); i >= 0; i = host.indexOf(".", i + 1)) index.get(host.slice(i))?.forEach((row, n) => found.set(n, row));
		return [...[...found].sort(([a], [b]) => a - b).map(([, row]) => row), ...(index.get("*")?.values() ?? [])];
	}

	pattern(text) {
		if (!this.compiled.has(text)) {
			let whole = text;
			while (/\{[a-z]/.test(whole)) whole = whole.replace(/\{([a-z][a-z0-9]*)\}/g, (_, n) => (this.patterns[n].includes("|") ? `(?:${this.patterns[n]})` : this.patterns[n]));
			whole = whole.replace(/\\.|\[(?:\\.|[^\]\\])*\]|\./gs, (s) => (s === "." ? "[^\\n]" : s)); // in JavaScript "." is not a CR either
			this.compiled.set(text, new RegExp(`^(?:${whole})$`, "u"));
		}
		return this.compiled.get(text);
	}

	/** Returns the link that a URL is, or null. */
	match(text) {
		const url = attempt(() => parse(text));
		for (const row of url === null ? [] : this.rows(this.links, url.host)) {
			if (row.hosts && url.port !== 0) continue;
			for (const path of this.expand(row.prefixes ?? [""]).flatMap((p) => row.paths.map((q) => p + q))) {
				const caught = shape(path, url.segments);
				if (caught === null) continue;
				if (row.param !== undefined && !(caught.id = attempt(() => param(url, row.param)))) continue;
				if (!`${url.link}#${url.fragment ?? ""}`.toLowerCase().includes(row.mark ?? "")) continue;
				for (const own of row.cases ?? [{}]) {
					const link = this.form(merged(row, own), url, text, caught);
					if (link !== null) return link;
				}
			}
		}
		return null;
	}

	form(form, url, text, caught) {
		const own = Object.fromEntries(["id", "name"].filter((n) => form[n] !== undefined).map((n) => [n, form[n]]));
		const env = new Env(this, url, text, caught, { ...this.pieces, ...form.take, ...own });
		if (!env.all(form)) return null;
		const token = env.value("id");
		if (token === null && form.id !== undefined) return null;
		let kind = form.kind;
		if (typeof kind === "object") kind = ["file", "folder", "native", "page"].find((k) => form.kind[k] !== undefined && env.holds(form.kind[k]));
		if (kind === undefined || !this.isID(form, token ?? "")) return null;
		const link = { provider: form.provider, kind, name: env.value("name") ?? "", direct: "", needs: "" };
		if (kind !== "folder") {
			link.direct = env.value(form.direct) ?? "";
			if (link.direct === "") link.needs = form.ask || (form.find && !form.direct) ? "ask" : form.needs ?? "";
		}
		if (form.encrypted) link.needs = "key";
		return link;
	}

	isID(form, token) {
		if (token === "") return true;
		token = attempt(() => percent(token)) || token;
		if (form.token !== undefined && !this.pattern(form.token).test(token)) return false;
		if (form.random) return !this.words.has(token.toLowerCase());
		const least = form.min ?? 0;
		return (form.token !== undefined && least === 0) || (encode(token).length >= least && !isWord(token));
	}

	/** Returns the URL inside the wrappers around a URL, or the URL itself. */
	unwrap(text) {
		for (let n = 0; n < MAX_NESTED; n++) {
			const target = attempt(() => this.target(parse(text), text).replaceAll(" ", "%20"));
			if (target === null || attempt(() => parse(target)) === null) break;
			text = target;
		}
		return text;
	}

	target(url, text) {
		for (const row of this.rows(this.wrappers, url.host)) {
			if (row.paths && !row.paths.some((p) => url.path === p || (p.endsWith("/") && url.path.startsWith(p)))) continue;
			const env = new Env(this, url, text, {}, { ...this.pieces, ...row.take });
			if (!env.all(row)) continue;
			if (row.opaque || (row.opaque_unless !== undefined && !env.holds(row.opaque_unless))) break;
			for (const name of row.param ?? []) {
				const value = env.value("param " + name);
				if (value) return percent(value);
			}
			const target = env.value(row.target) ?? fail();
			return row.one_slash ? target.replace(/^(https?:\/)(?=[^/])/i, "$1/") : target;
		}
		return fail();
	}
}
