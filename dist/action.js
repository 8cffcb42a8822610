import { createRequire } from "node:module";
import { createHash, createPrivateKey } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, readdirSync, realpathSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, matchesGlob, relative, resolve, sep } from "node:path";
import { setImmediate, setTimeout as setTimeout$1 } from "node:timers/promises";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import "node:util";
import * as os$1 from "os";
import os, { EOL } from "os";
import * as crypto$1 from "crypto";
import * as fs from "fs";
import { constants, promises } from "fs";
import "path";
import * as http from "http";
import * as https from "https";
import * as events from "events";
import "child_process";
import "timers";
import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";
var __create = Object.create;
var __defProp = Object.defineProperty;
var __getOwnPropDesc = Object.getOwnPropertyDescriptor;
var __getOwnPropNames = Object.getOwnPropertyNames;
var __getProtoOf = Object.getPrototypeOf;
var __hasOwnProp = Object.prototype.hasOwnProperty;
var __esmMin = (fn, res, err) => () => {
	if (err) throw err[0];
	try {
		return fn && (res = fn(fn = 0)), res;
	} catch (e) {
		throw err = [e], e;
	}
};
var __commonJSMin = (cb, mod) => () => (mod || (cb((mod = { exports: {} }).exports, mod, mod.exports), cb = null), mod.exports);
var __exportAll = (all, no_symbols) => {
	let target = {};
	for (var name in all) __defProp(target, name, {
		get: all[name],
		enumerable: true
	});
	if (!no_symbols) __defProp(target, Symbol.toStringTag, { value: "Module" });
	return target;
};
var __copyProps = (to, from, except, desc) => {
	if (from && typeof from === "object" || typeof from === "function") for (var keys = __getOwnPropNames(from), i = 0, n = keys.length, key; i < n; i++) {
		key = keys[i];
		if (!__hasOwnProp.call(to, key) && key !== except) __defProp(to, key, {
			get: ((k) => from[k]).bind(null, key),
			enumerable: !(desc = __getOwnPropDesc(from, key)) || desc.enumerable
		});
	}
	return to;
};
var __toESM = (mod, isNodeMode, target) => (target = mod != null ? __create(__getProtoOf(mod)) : {}, __copyProps(isNodeMode || !mod || !mod.__esModule || !__hasOwnProp.call(mod, "default") ? __defProp(target, "default", {
	value: mod,
	enumerable: true
}) : target, mod));
var __require = (() => createRequire(import.meta.url))();
var SyncError = class extends Error {
	name = "SyncError";
	code;
	hint;
	constructor(code, message, options = {}) {
		super(message, { cause: options.cause });
		this.code = code;
		this.hint = options.hint;
	}
};
var ConfigError = class extends SyncError {
	name = "ConfigError";
};
var DiagnosticsError = class extends SyncError {
	name = "DiagnosticsError";
	diagnostics;
	constructor(code, message, diagnostics) {
		super(code, message);
		this.diagnostics = diagnostics;
	}
};
function toDiagnostics$1(error) {
	if (error instanceof DiagnosticsError) return error.diagnostics;
	const { code, message, hint } = error;
	return [{
		code,
		severity: "error",
		message,
		...hint !== void 0 && { hint }
	}];
}
function isObject$1(value) {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}
function isArray(value) {
	return Array.isArray(value);
}
function deepEqual(a, b) {
	if (a === b) return true;
	if (isArray(a)) return isArray(b) && equalArrays(a, b);
	return isObject$1(a) && isObject$1(b) && equalObjects(a, b);
}
function equalArrays(a, b) {
	if (a.length !== b.length) return false;
	for (let index = 0; index < a.length; index += 1) if (!deepEqual(a[index], b[index])) return false;
	return true;
}
function equalObjects(a, b) {
	let surplus = 0;
	for (const member in a) {
		if (member === "__proto__" && !Object.hasOwn(b, member)) return false;
		if (!deepEqual(memberOf$1(a, member), memberOf$1(b, member))) return false;
		surplus += 1;
	}
	for (const _ in b) surplus -= 1;
	return surplus === 0;
}
function memberOf$1(object, member) {
	return object[member];
}
function canonicalJson(value) {
	if (isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
	if (isObject$1(value)) return `{${canonicalMembers(value).join(",")}}`;
	return JSON.stringify(value);
}
function canonicalMembers(object) {
	return Object.entries(object).toSorted(([a], [b]) => compareCodeUnits(a, b)).map(([key, value]) => `${JSON.stringify(key)}:${canonicalJson(value)}`);
}
function compareCodeUnits(a, b) {
	if (a === b) return 0;
	return a < b ? -1 : 1;
}
function hasErrors(diagnostics) {
	return diagnostics.some(({ severity }) => severity === "error");
}
function sortDiagnostics(diagnostics) {
	return diagnostics.toSorted((a, b) => compareSources(a.source, b.source) || compareCodeUnits(a.code, b.code) || compareCodeUnits(a.message, b.message));
}
function compareSources(a, b) {
	if (!a || !b) return Number(Boolean(a)) - Number(Boolean(b));
	return compareCodeUnits(a.file, b.file) || a.line - b.line || a.column - b.column;
}
function contractLabel(identity) {
	return identity.fullyQualifiedName ?? qualifiedName(identity.name, identity.entity) ?? identity.name ?? identity.id ?? "a contract without a name";
}
function qualifiedNames({ fullyQualifiedName, entity }) {
	return [fullyQualifiedName, entity?.fullyQualifiedName].filter((name) => name !== void 0);
}
function qualifiedName(name, entity) {
	const owner = entity?.fullyQualifiedName ?? entity?.id;
	if (name === void 0 || owner === void 0) return void 0;
	return owner.endsWith(`.${name}`) ? owner : `${owner} (${name})`;
}
const identityKinds = [
	"id",
	"fullyQualifiedName",
	"name+entity.id",
	"name+entity.fullyQualifiedName"
];
function identityKey$1(kind, identity) {
	const { id, fullyQualifiedName, name, entity } = identity;
	switch (kind) {
		case "id": return id;
		case "fullyQualifiedName": return fullyQualifiedName;
		case "name+entity.id": return attachedKey(name, entity?.id);
		case "name+entity.fullyQualifiedName": return attachedKey(name, entity?.fullyQualifiedName);
	}
}
function attachedKey(name, entity) {
	return name === void 0 || entity === void 0 ? void 0 : `${name.length} ${name}${entity}`;
}
function strongestKind(identity) {
	return identityKinds.find((kind) => identityKey$1(kind, identity) !== void 0);
}
function lookupValue(identity) {
	const { id, fullyQualifiedName, name, entity } = identity;
	const ofAsset = entity?.id ?? entity?.fullyQualifiedName;
	return id ?? fullyQualifiedName ?? (name === void 0 ? void 0 : ofAsset);
}
function lookupEntity(identity) {
	const id = identity.entity?.id ?? "";
	return strongestKind(identity) === "name+entity.id" && uuid$1.test(id) ? id : void 0;
}
const uuid$1 = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/iu;
function identityConflicts(live, desired) {
	const { identity } = desired;
	return [
		...conflict(desired, ["name"], identity.name, live.name),
		...conflict(desired, ["fullyQualifiedName"], identity.fullyQualifiedName, live.fullyQualifiedName),
		...[
			"id",
			"type",
			"name",
			"fullyQualifiedName"
		].flatMap((member) => conflict(desired, ["entity", member], identity.entity?.[member], live.entity?.[member]))
	];
}
function conflict(desired, pointer, wanted, current) {
	if (wanted === void 0 || current === void 0 || wanted === current) return [];
	return [{
		code: "identity-differs",
		severity: "warning",
		message: `The file says \`${pointer.join(".")}: ${wanted}\`, the catalog says \`${current}\`; identity fields are never patched.`,
		hint: "Correct the file, or rename the contract in the catalog.",
		source: desired.locate(pointer)
	}];
}
function planHash(contracts) {
	const approved = contracts.filter((contract) => contract.action === "update").toSorted((a, b) => compareCodeUnits(a.id, b.id)).map(({ id, liveVersion, patch }) => [
		id,
		liveVersion ?? null,
		patch
	]);
	return `sha256:${createHash("sha256").update(canonicalJson(approved)).digest("hex")}`;
}
function updates(plan) {
	return plan.contracts.filter((contract) => contract.action === "update");
}
function contractProblems(contract) {
	return contract.action === "unmanaged" ? [] : contract.problems;
}
function isBreaking(contract) {
	return contractProblems(contract).some(({ impact }) => impact === "breaking");
}
function makePlan(catalogUrl, contracts, diagnostics, selection) {
	const sorted = sortContracts(contracts);
	return {
		formatVersion: "1.0",
		catalogUrl,
		planHash: planHash(sorted),
		errored: hasErrors(diagnostics) || sorted.some((contract) => hasErrors(contractProblems(contract))),
		summary: summarize(sorted),
		contracts: sorted,
		diagnostics: sortDiagnostics(diagnostics),
		...selection && { selection }
	};
}
function erroredPlan(catalogUrl, diagnostics) {
	return {
		formatVersion: "1.0",
		catalogUrl,
		errored: true,
		summary: summarize([]),
		contracts: [],
		diagnostics: sortDiagnostics(diagnostics)
	};
}
function sortContracts(contracts) {
	return contracts.map((contract) => ({
		contract,
		label: contractLabel(contract),
		tie: tieBreaker(contract)
	})).toSorted((a, b) => compareCodeUnits(a.label, b.label) || compareCodeUnits(a.tie, b.tie)).map(({ contract }) => contract);
}
function tieBreaker(contract) {
	if (contract.action !== "missing") return contract.id;
	const { file, line } = contract.source;
	return `${file}:${String(line).padStart(10, "0")}`;
}
function summarize(contracts) {
	const counts = {
		update: 0,
		unchanged: 0,
		missing: 0,
		unmanaged: 0,
		blocked: 0
	};
	for (const { action } of contracts) counts[action] += 1;
	const changed = contracts.filter(({ action }) => action === "update");
	return {
		...counts,
		transitions: changed.filter((contract) => "transition" in contract).length,
		breaking: contracts.filter(isBreaking).length
	};
}
var Node = class {
	value;
	next;
	constructor(value) {
		this.value = value;
	}
};
var Queue = class {
	#head;
	#tail;
	#size;
	constructor() {
		this.clear();
	}
	enqueue(value) {
		const node = new Node(value);
		if (this.#head) {
			this.#tail.next = node;
			this.#tail = node;
		} else {
			this.#head = node;
			this.#tail = node;
		}
		this.#size++;
	}
	dequeue() {
		const current = this.#head;
		if (!current) return;
		this.#head = this.#head.next;
		this.#size--;
		if (!this.#head) this.#tail = void 0;
		return current.value;
	}
	peek() {
		if (!this.#head) return;
		return this.#head.value;
	}
	clear() {
		this.#head = void 0;
		this.#tail = void 0;
		this.#size = 0;
	}
	get size() {
		return this.#size;
	}
	*[Symbol.iterator]() {
		let current = this.#head;
		while (current) {
			yield current.value;
			current = current.next;
		}
	}
	*drain() {
		while (this.#head) yield this.dequeue();
	}
};
function pLimit(concurrency) {
	let rejectOnClear = false;
	if (typeof concurrency === "object") ({concurrency, rejectOnClear = false} = concurrency);
	validateConcurrency(concurrency);
	if (typeof rejectOnClear !== "boolean") throw new TypeError("Expected `rejectOnClear` to be a boolean");
	const queue = new Queue();
	let activeCount = 0;
	const resumeNext = () => {
		if (activeCount < concurrency && queue.size > 0) {
			activeCount++;
			queue.dequeue().run();
		}
	};
	const next = () => {
		activeCount--;
		resumeNext();
	};
	const run = async (function_, resolve, arguments_) => {
		const result = (async () => function_(...arguments_))();
		resolve(result);
		try {
			await result;
		} catch {}
		next();
	};
	const enqueue = (function_, resolve, reject, arguments_) => {
		const queueItem = { reject };
		new Promise((internalResolve) => {
			queueItem.run = internalResolve;
			queue.enqueue(queueItem);
		}).then(run.bind(void 0, function_, resolve, arguments_));
		if (activeCount < concurrency) resumeNext();
	};
	const generator = (function_, ...arguments_) => new Promise((resolve, reject) => {
		enqueue(function_, resolve, reject, arguments_);
	});
	Object.defineProperties(generator, {
		activeCount: { get: () => activeCount },
		pendingCount: { get: () => queue.size },
		clearQueue: { value() {
			if (!rejectOnClear) {
				queue.clear();
				return;
			}
			const abortError = AbortSignal.abort().reason;
			while (queue.size > 0) queue.dequeue().reject(abortError);
		} },
		concurrency: {
			get: () => concurrency,
			set(newConcurrency) {
				validateConcurrency(newConcurrency);
				concurrency = newConcurrency;
				queueMicrotask(() => {
					while (activeCount < concurrency && queue.size > 0) resumeNext();
				});
			}
		},
		map: { async value(iterable, function_) {
			const promises = [];
			try {
				Array.from(iterable, (value, index) => {
					const promise = generator(function_, value, index);
					promises.push(promise);
					return promise;
				});
			} catch (error) {
				for (const promise of promises) promise.catch(() => {});
				throw error;
			}
			return Promise.all(promises);
		} }
	});
	return generator;
}
function validateConcurrency(concurrency) {
	if (!((Number.isInteger(concurrency) || concurrency === Number.POSITIVE_INFINITY) && concurrency > 0)) throw new TypeError("Expected `concurrency` to be a number from 1 and up");
}
function isProtected({ protocol, hostname }) {
	return protocol === "https:" || hostname === "localhost" || hostname === "[::1]" || /^127(?:\.\d+){3}$/u.test(hostname);
}
const systemTransport = {
	fetch: async (input, init) => globalThis.fetch(input, init),
	sleep: async (milliseconds, signal) => {
		await setTimeout$1(milliseconds, void 0, signal && { signal });
	},
	now: Date.now,
	random: Math.random
};
function checkBaseUrl({ baseUrl, allowHttp = false }) {
	if (baseUrl.protocol !== "https:" && baseUrl.protocol !== "http:") throw refusal$4(`must start with https://, not ${baseUrl.protocol}`, "Write https://catalog.example.com/api, or http://localhost:8585/api for one on this machine.");
	if (baseUrl.username !== "" || baseUrl.password !== "") throw refusal$4("must not hold a user name or password", "Give the token instead.");
	if (baseUrl.search !== "" || baseUrl.hash !== "") throw refusal$4("must not have a query or a fragment", "It usually ends in /api.");
	if (!allowHttp && !isProtected(baseUrl)) throw refusal$4(`would send the token unencrypted to ${baseUrl.host}`, "Use https://, or --allow-http if the network between is trusted.");
}
function refusal$4(complaint, hint) {
	return new ConfigError("invalid-catalog-url", `The catalog URL ${complaint}.`, hint === void 0 ? {} : { hint });
}
function landed(change, live, result) {
	const { changeDescription } = live.document;
	return {
		result,
		...subject(change, live),
		...result === "applied" && misprediction(change, live),
		...isObject$1(changeDescription) && { changeDescription },
		error: null
	};
}
function notLanded(change, result, error, seen) {
	return {
		result,
		...subject(change, seen?.live),
		...seen && { differences: seen.differences },
		error
	};
}
function skipped(change, error) {
	return {
		result: "skipped",
		...subject(change),
		error
	};
}
function subject({ id, fullyQualifiedName, liveVersion }, live) {
	return {
		id,
		...fullyQualifiedName !== void 0 && { fullyQualifiedName },
		...liveVersion !== void 0 && { versionBefore: liveVersion },
		...live?.version !== void 0 && { versionAfter: live.version }
	};
}
function misprediction({ predictedVersions }, { version }) {
	return version === void 0 || predictedVersions.includes(version) || predictedVersions.length === 0 ? {} : { predictedVersions };
}
function summarizeOutcomes({ planHash, overrides }, outcomes) {
	return {
		formatVersion: "1.0",
		...planHash !== void 0 && { planHash },
		...overrides && { overrides },
		summary: countResults(outcomes),
		outcomes,
		diagnostics: []
	};
}
function nothingApplied(diagnostics) {
	return {
		formatVersion: "1.0",
		summary: countResults([]),
		outcomes: [],
		diagnostics
	};
}
function countResults(outcomes) {
	const summary = {
		applied: 0,
		unchanged: 0,
		stale: 0,
		failed: 0,
		unverified: 0,
		skipped: 0
	};
	for (const { result } of outcomes) summary[result] += 1;
	return summary;
}
function allLanded({ summary }) {
	return summary.stale + summary.failed + summary.unverified + summary.skipped === 0;
}
const longestRow = 10;
const deniedCodes = new Set(["unauthorized", "forbidden"]);
function createBrake({ signal, maxFailures }) {
	let failures = 0;
	let inRow = 0;
	let stop;
	function note({ result, error }) {
		if (result === "skipped") return;
		const isFailure = result === "failed" || result === "unverified";
		failures += Number(isFailure);
		inRow = isFailure ? inRow + 1 : 0;
		if (maxFailures !== void 0) {
			if (failures >= maxFailures) stop ??= stopped(`after ${failures} failed`);
		} else if (error && deniedCodes.has(error.code)) stop ??= stopped("because the catalog denies access");
		else if (inRow >= longestRow) stop ??= stopped(`after ${inRow} failed in a row`);
	}
	return {
		reason: () => signal?.aborted ? interrupted : stop,
		note
	};
}
const interrupted = {
	code: "interrupted",
	message: "Not attempted: the run was interrupted.",
	hint: "Apply again: what has landed is not sent twice."
};
function stopped(why) {
	return {
		code: "stopped-early",
		message: `Not attempted: the run stopped ${why}.`,
		hint: "Mend the cause and apply again, or allow more with --max-failures."
	};
}
function guard({ liveUpdatedAt, liveVersion, patch }) {
	if (liveUpdatedAt !== void 0) return [{
		op: "test",
		path: "/updatedAt",
		value: liveUpdatedAt
	}, ...patch];
	if (liveVersion === void 0) return void 0;
	return [{
		op: "test",
		path: "/version",
		value: Number(liveVersion)
	}, ...patch];
}
function createGuarding() {
	let known;
	return {
		mode: () => known ?? "guarded",
		learn: (mode) => {
			if (known !== "guarded") known = mode;
		},
		isDoubtful: () => known !== "guarded"
	};
}
function isRepeatable(patch) {
	return patch.every(({ op, path }) => (op === "add" || op === "replace") && !/\/(?:-|\d+)(?:\/|$)/u.test(path));
}
function textOf({ chunks }) {
	const decoder = new TextDecoder();
	let text = "";
	for (const chunk of chunks) text += decoder.decode(chunk, { stream: true });
	return text + decoder.decode();
}
const plainParameters = new Set([
	"fields",
	"limit",
	"include",
	"status",
	"entity",
	"index"
]);
function displayUrl(url) {
	const parameters = [...url.searchParams].map(([name, value]) => `${name}=${plainParameters.has(name) ? value : "…"}`);
	const query = parameters.length > 0 ? `?${parameters.join("&")}` : "";
	return `${url.origin}${url.pathname}${query}`;
}
var ApiError = class extends SyncError {
	name = "ApiError";
	method;
	url;
	status;
	requestId;
	attempts;
	outcome;
	retryAfterMs;
	constructor(request, fault, attempts) {
		const { code, message, hint, cause } = fault;
		super(code, `${message} ${circumstances(request, fault, attempts)}`, {
			...hint !== void 0 && { hint },
			cause
		});
		this.method = request.method;
		this.url = displayUrl(request.url);
		this.status = fault.status;
		this.requestId = fault.requestId;
		this.attempts = attempts;
		this.outcome = request.method !== "GET" && fault.mayHaveLanded ? "unknown" : "none";
		this.retryAfterMs = fault.retryAfterMs;
	}
};
function circumstances(request, fault, attempts) {
	return `(${[
		`${request.method} ${displayUrl(request.url)}`,
		fault.status !== void 0 && `status ${fault.status}`,
		fault.requestId !== void 0 && `request id ${fault.requestId}`,
		attempts > 1 && `${attempts} attempts`
	].filter((fact) => fact !== false).join(", ")})`;
}
const bearerToken = /^[A-Za-z0-9\-._~+/]+=*$/u;
function parseBearerToken(text) {
	const token = text.trim();
	if (token === "") throw refusal$3("is empty", "Set CONTRACT_SYNC_TOKEN, or give --token-file.");
	if (/\s/u.test(token)) throw refusal$3("contains white space", "Give the token alone, on one line and without the word \"Bearer\".");
	if (!bearerToken.test(token)) throw refusal$3("contains characters that no bearer token has", "Look for quotes or invisible characters that were copied along with it.");
	return token;
}
function refusal$3(complaint, hint) {
	return new ConfigError("invalid-token", `The access token ${complaint}.`, { hint });
}
const shortest = 8;
function createRedactor(onSecret) {
	const forms = new Set();
	let longestFirst = [];
	return {
		hide: (secret) => {
			const known = forms.size;
			for (const form of formsOf(secret)) forms.add(form);
			if (forms.size === known) return;
			longestFirst = [...forms].toSorted((a, b) => b.length - a.length);
			onSecret?.(secret);
		},
		redact: (text) => longestFirst.reduce((rest, form) => rest.includes(form) ? rest.replaceAll(form, "***") : rest, text)
	};
}
function formsOf(secret) {
	const lines = secret.split("\n").map((line) => line.trim());
	return [
		secret.trim(),
		...lines,
		...signatureOf(secret)
	].flatMap((text) => text.length < shortest || isArmour(text) ? [] : [text, ...encodings(text)]);
}
function encodings(text) {
	return [
		JSON.stringify(text).slice(1, -1),
		encodeURIComponent(text),
		new URLSearchParams([["", text]]).toString().slice(1),
		Buffer.from(text).toString("base64"),
		Buffer.from(text).toString("base64url")
	];
}
function signatureOf(secret) {
	const parts = secret.trim().split(".");
	return parts.length === 3 ? parts.slice(2) : [];
}
function isArmour(line) {
	return line.startsWith("-----") && !line.includes("\n");
}
const largestBody = 256 * 2 ** 20;
var LargeBodyError = class extends Error {
	limit = largestBody;
};
async function readBody({ body }) {
	const reader = body?.getReader();
	const chunks = [];
	let size = 0;
	for (let read = await reader?.read(); read?.value; read = await reader?.read()) {
		chunks.push(read.value);
		size += read.value.length;
		if (size <= largestBody) continue;
		await reader?.cancel();
		throw new LargeBodyError();
	}
	return chunks;
}
var DeadlineError = class extends Error {
	name = "DeadlineError";
	phase;
	milliseconds;
	constructor(phase, milliseconds) {
		super(`no ${phase} within ${milliseconds} ms`);
		this.phase = phase;
		this.milliseconds = milliseconds;
	}
};
function startDeadline(milliseconds, parent) {
	const late = new AbortController();
	let timer;
	const end = () => clearTimeout(timer);
	return {
		signal: parent ? AbortSignal.any([late.signal, parent]) : late.signal,
		begin: (phase) => {
			end();
			timer = setTimeout(() => late.abort(new DeadlineError(phase, milliseconds)), milliseconds);
		},
		end
	};
}
function networkFault(error, host) {
	if (error instanceof DeadlineError) return deadlineFault(error, host);
	if (error instanceof LargeBodyError) return largeAnswer(error);
	const origin = originOf(error);
	const { code } = origin;
	if (code === "ENOTFOUND") return unknownHost(host, error);
	if (code === "bad port") return forbiddenPort(host, error);
	if (isTlsCode(code)) return tlsFault(code, host, error);
	if (origin.message.startsWith("Proxy response")) return proxyRefusal(origin, error);
	if (isConnectFailure(origin)) return unreachable$1(origin, host, error);
	return connectionLost(origin, host, error);
}
function deadlineFault({ phase, milliseconds }, host) {
	return {
		code: "timeout",
		message: `${host} ${phase === "headers" ? "did not answer" : "did not finish its answer"} within ${milliseconds / 1e3} seconds.`,
		hint: "Allow more with --timeout, or ask for less at a time with --page-size.",
		transient: true,
		mayHaveLanded: true
	};
}
function largeAnswer({ limit }) {
	return {
		code: "unexpected-answer",
		message: `The answer is larger than ${limit / 2 ** 20} MB.`,
		hint: "Ask for less at a time with --page-size.",
		transient: false,
		mayHaveLanded: true
	};
}
function unknownHost(host, cause) {
	return {
		code: "unreachable",
		message: `There is no host named ${host}.`,
		hint: "Check the catalog URL, and that this machine can resolve names of that network.",
		transient: false,
		mayHaveLanded: false,
		cause
	};
}
function forbiddenPort(host, cause) {
	return {
		code: "unreachable",
		message: `${host} is not asked: its port belongs to another protocol than HTTP.`,
		hint: "Check the port of the catalog URL.",
		transient: false,
		mayHaveLanded: false,
		cause
	};
}
function proxyRefusal({ message }, cause) {
	return {
		code: "unreachable",
		message: `The proxy refuses to connect to the catalog: ${message}.`,
		hint: "Check HTTPS_PROXY, with the user name and password that the proxy may want, and NO_PROXY.",
		transient: false,
		mayHaveLanded: false,
		cause
	};
}
function unreachable$1({ message }, host, cause) {
	return {
		code: "unreachable",
		message: `No connection to ${host} could be made: ${message}.`,
		hint: "Check the port of the catalog URL, VPN, firewall, and HTTPS_PROXY and NO_PROXY, which Node heeds from 24.14 on.",
		transient: true,
		mayHaveLanded: false,
		cause
	};
}
function tlsFault(code, host, cause) {
	const { message, hint } = tlsSentences(code, host);
	return {
		code: "untrusted-certificate",
		transient: false,
		mayHaveLanded: false,
		message: `${message}: ${code}.`,
		hint,
		cause
	};
}
function tlsSentences(code, host) {
	if (code === "EPROTO" || code.startsWith("ERR_SSL_")) return {
		message: `${host} does not speak TLS on this port`,
		hint: "Check the port of the catalog URL, and that it is not plain http."
	};
	switch (code) {
		case "ERR_TLS_CERT_ALTNAME_INVALID": return {
			message: `The certificate of ${host} is one for another host`,
			hint: "Check the host of the catalog URL: the certificate has to name it."
		};
		case "CERT_HAS_EXPIRED":
		case "CERT_NOT_YET_VALID": return {
			message: `The certificate of ${host} is not valid at this time`,
			hint: "Check this machine's clock; if it is right, ask the operators of the catalog to renew the certificate."
		};
		default: return {
			message: `The certificate of ${host} is not trusted`,
			hint: "If your organisation signs its own certificates, set NODE_EXTRA_CA_CERTS to its root certificate."
		};
	}
}
function connectionLost({ message }, host, cause) {
	return {
		code: "connection-lost",
		message: `The connection to ${host} broke before the whole answer was here: ${message}.`,
		hint: "Try again later; if it stays so, look for a proxy or load balancer on the way that cuts connections, or ask for less at a time with --page-size.",
		transient: true,
		mayHaveLanded: true,
		cause
	};
}
const connectCodes = new Set([
	"ECONNREFUSED",
	"EAI_AGAIN",
	"EHOSTUNREACH",
	"ENETUNREACH",
	"UND_ERR_CONNECT_TIMEOUT"
]);
function isConnectFailure({ code, syscall }) {
	return syscall === "connect" || connectCodes.has(code);
}
function isTlsCode(code) {
	return /^(?:ERR_TLS_|ERR_SSL_|EPROTO$|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/u.test(code) || code === "HOSTNAME_MISMATCH";
}
function originOf(error) {
	if (!(error instanceof Error)) return {
		code: "",
		message: String(error)
	};
	const { code, syscall, message, cause } = error;
	if (typeof code !== "string") return cause === void 0 ? {
		code: message,
		message
	} : originOf(cause);
	return {
		code,
		message: message || code,
		...syscall !== void 0 && { syscall }
	};
}
function isRedirect(status) {
	return [
		301,
		302,
		303,
		307,
		308
	].includes(status);
}
function followRedirect(request, at, answer) {
	const location = answer.headers.get("location");
	const to = location === null ? null : URL.parse(location, at.href);
	if (to === null) return refusal$2(answer.status, "to nowhere: it names no location");
	if (to.protocol !== "https:" && to.protocol !== "http:") return refusal$2(answer.status, `to ${to.protocol}, which is not the web`);
	if (!isProtected(to) && isProtected(at)) return refusal$2(answer.status, `to ${to.origin}, where the traffic would be unencrypted`);
	if (request.method === "PATCH" && (to.origin !== at.origin || answer.status === 303)) return refusal$2(answer.status, `a change to ${to.origin}, which is not followed`);
	return { to };
}
function leftOrigin(at) {
	return refusal$2(401, `to ${at.origin}, to which the access token is not sent`).fault;
}
const endlessRedirect = refusal$2(302, "again and again").fault;
function refusal$2(status, whither) {
	return { fault: {
		code: "redirected",
		message: `The catalog redirects ${whither}.`,
		hint: "Set the catalog URL to the address at which the catalog itself answers.",
		status,
		transient: false,
		mayHaveLanded: status === 303
	} };
}
function parseRetryAfter(value, now) {
	if (value === null) return void 0;
	const text = value.trim();
	if (/^\d+$/u.test(text)) return Number(text) * 1e3;
	const date = /^[A-Z][a-z]{2}/u.test(text) ? Date.parse(text) : NaN;
	return Number.isNaN(date) ? void 0 : Math.max(0, date - now);
}
const maxReasonLength = 300;
function serverReason(text) {
	const body = parseJson$2(text);
	const line = (body === void 0 ? htmlTitle(text) : jsonReason(body))?.replaceAll(/[\s\p{Cc}]+/gu, " ").trim();
	if (line === void 0 || line === "") return void 0;
	return line.length > maxReasonLength ? `${line.slice(0, maxReasonLength)}…` : line;
}
function jsonReason(body) {
	if (typeof body === "string") return body;
	if (!isObject$1(body)) return void 0;
	for (const member of [
		"message",
		"error_description",
		"detail",
		"error",
		"errorType",
		"title"
	]) {
		const value = body[member];
		if (value !== void 0 && value !== null) return jsonReason(value);
	}
}
function htmlTitle(text) {
	if (!text.trimStart().startsWith("<")) return text;
	return /<title[^>]*>([^<]*)/iu.exec(text)?.[1];
}
function parseJson$2(text) {
	try {
		return JSON.parse(text);
	} catch {
		return;
	}
}
function statusFault(answer, operation, now) {
	const { status } = answer;
	const reason = serverReason(textOf(answer));
	const code = codeOf(status);
	const hint = hints$1[code]?.(operation);
	const retryAfterMs = parseRetryAfter(answer.headers.get("retry-after"), now);
	return {
		code,
		message: sentence(complaint$1(code, operation), reason),
		...hint !== void 0 && { hint },
		...requestIdOf(answer.headers),
		status,
		transient: transientStatuses.has(status),
		mayHaveLanded: status >= 500 || status === 408 || status === 429,
		...retryAfterMs !== void 0 && { retryAfterMs }
	};
}
function sentence(complained, reason) {
	if (reason === void 0) return `${complained}.`;
	return `${complained}: ${reason}${/[.!?…]$/u.test(reason) ? "" : "."}`;
}
const transientStatuses = new Set([
	408,
	429,
	500,
	502,
	503,
	504
]);
const codes = {
	401: "unauthorized",
	403: "forbidden",
	404: "not-found",
	408: "timeout",
	409: "conflict",
	412: "conflict",
	413: "too-large",
	415: "unsupported-media-type",
	429: "rate-limited"
};
function codeOf(status) {
	if (status < 400) return "unexpected-answer";
	return codes[status] ?? (status >= 500 ? "server-error" : "bad-request");
}
const purposes = {
	list: "list data contracts",
	patch: "update data contracts",
	versions: "read the versions of a data contract",
	version: "read a version of a data contract",
	search: "search",
	release: "tell its release"
};
function complaint$1(code, operation) {
	const purpose = purposes[operation];
	switch (code) {
		case "unauthorized": return "The catalog rejected the access token";
		case "forbidden": return `The owner of the access token lacks the permission to ${purpose}`;
		case "not-found": return notFound(operation);
		case "rate-limited": return "The catalog receives more requests than it allows";
		case "server-error": return `The catalog failed when asked to ${purpose}`;
		default: return `The catalog refused to ${purpose}`;
	}
}
const ofService = new Set([
	"list",
	"search",
	"release"
]);
function notFound(operation) {
	if (ofService.has(operation)) return "There is no data contract service at this address";
	return operation === "version" ? "The catalog has no such data contract, or no such version of it" : "The catalog has no such data contract";
}
const laterOrAsk = "Try again later; if it stays so, ask the operators of the catalog.";
const hints$1 = {
	unauthorized: () => "It may have expired, or belong to another catalog: contract-sync whoami tells whose it is and where it comes from (CONTRACT_SYNC_TOKEN, --token-file or an issuer).",
	forbidden: (operation) => `Ask an administrator of the catalog to let this user ${purposes[operation]}.`,
	"not-found": (operation) => ofService.has(operation) ? "Check the catalog URL: it usually ends in /api." : "It may have been deleted since it was listed: plan again.",
	conflict: () => "Somebody else may be changing it at this moment: plan again.",
	"too-large": () => "The catalog, or a proxy in front of it, limits the size of a request: ask its operators for more.",
	"unsupported-media-type": () => "The catalog takes a JSON Patch under neither of its media types: ask its operators, or those of a gateway in front of it.",
	"rate-limited": () => "Try again later, or ask for less at once with --concurrency.",
	"bad-request": (operation) => operation === "patch" ? "If the catalog names a value, correct it in the file; otherwise see with contract-sync doctor which release it is." : "Check the catalog URL, and see with contract-sync doctor which release it is.",
	timeout: () => laterOrAsk,
	"server-error": () => laterOrAsk
};
function requestIdOf(headers) {
	for (const name of [
		"x-request-id",
		"request-id",
		"x-correlation-id",
		"x-amzn-requestid"
	]) {
		const requestId = headers.get(name);
		if (requestId !== null) return { requestId };
	}
	return {};
}
async function exchange(wire, request) {
	const token = parseBearerToken(await wire.token());
	const first = await exchangeWith(wire, request, token);
	if (!("fault" in first) || first.fault.code !== "unauthorized") return first;
	const renewed = parseBearerToken(await wire.token(token));
	return renewed === token ? first : exchangeWith(wire, request, renewed);
}
async function exchangeWith(wire, request, token) {
	const deadline = startDeadline(wire.timeoutMs, request.signal);
	const started = wire.transport.now();
	try {
		const answer = await follow(wire, request, token, deadline);
		if ("fault" in answer) return answer;
		wire.log?.(answerLine(request, answer.value, wire.transport.now() - started));
		return judge$1(wire, request, answer.value);
	} catch (error) {
		if (request.signal?.aborted) throw error;
		return { fault: networkFault(error, request.url.host) };
	} finally {
		deadline.end();
	}
}
const maxRedirects = 5;
async function follow(wire, request, token, deadline) {
	let at = request.url;
	let bearer = token;
	for (let hops = 0; hops <= maxRedirects; hops += 1) {
		deadline.begin("headers");
		const response = await fetchOnce(wire, request, {
			at,
			bearer,
			signal: deadline.signal
		});
		deadline.begin("body");
		if (!isRedirect(response.status)) {
			const answer = await readAnswer(response, token);
			return answer.status === 401 && bearer === void 0 ? { fault: leftOrigin(at) } : { value: answer };
		}
		await response.body?.cancel();
		const redirect = followRedirect(request, at, response);
		if ("fault" in redirect) return redirect;
		if (redirect.to.origin !== at.origin) bearer = void 0;
		at = redirect.to;
	}
	return { fault: endlessRedirect };
}
async function fetchOnce({ transport, version }, { method, body }, { at, bearer, signal }) {
	const headers = {
		accept: "application/json",
		"user-agent": `contract-sync/${version}`,
		...bearer !== void 0 && { authorization: `Bearer ${bearer}` },
		...body && { "content-type": body.type }
	};
	const payload = body && { body: body.text };
	return transport.fetch(at, {
		method,
		headers,
		...payload,
		redirect: "manual",
		signal
	});
}
async function readAnswer(response, token) {
	const { status, headers, ok } = response;
	const chunks = await readBody(response);
	return {
		status,
		headers,
		type: headers.get("content-type"),
		chunks: ok ? chunks : [without(token, textOf({ chunks }))]
	};
}
function without(token, text) {
	const { hide, redact } = createRedactor();
	hide(token);
	return new TextEncoder().encode(redact(text));
}
function judge$1(wire, request, answer) {
	return answer.status >= 200 && answer.status < 300 ? { value: answer } : { fault: statusFault(answer, request.operation, wire.transport.now()) };
}
function answerLine({ method, url }, answer, milliseconds) {
	const size = (answer.chunks.reduce((sum, { length }) => sum + length, 0) / 1e3).toFixed(1);
	return `${method} ${displayUrl(url)}: ${answer.status}, ${size} kB in ${milliseconds} ms`;
}
const retryPolicy = {
	attempts: 5,
	firstContact: 2,
	base: 500,
	longest: 2e4,
	longestAsked: 12e4,
	budget: 60,
	earned: .5
};
function createSender(wire) {
	let budget = retryPolicy.budget;
	let mostAttempts = retryPolicy.firstContact;
	const inFlight = pLimit(wire.concurrency ?? Infinity);
	const attempt = async (request, read) => {
		const sent = await inFlight(async () => exchange(wire, request));
		const result = "fault" in sent ? sent : await read(sent.value);
		if (isAnswered(result)) mostAttempts = retryPolicy.attempts;
		return result;
	};
	return async (request, read, first) => {
		let result = first ? await read(first) : await attempt(request, read);
		for (let attempts = 1; "fault" in result; attempts += 1) {
			request.signal?.throwIfAborted();
			const { fault } = result;
			const failure = new ApiError(request, fault, attempts);
			const wait = waitBeforeRetry(request.method, fault, attempts, wire.transport.random);
			const price = isBusy(fault) ? 0 : 1;
			if (wait === void 0 || budget < price || attempts >= mostAttempts) throw failure;
			budget -= price;
			await waitToRetry(wire, wait, request, {
				failure,
				line: retryLine(request, fault, `${attempts + 1} of ${mostAttempts}`, wait)
			});
			result = await attempt(request, read);
		}
		budget = Math.min(retryPolicy.budget, budget + retryPolicy.earned);
		return result.value;
	};
}
async function waitToRetry({ transport, onRetry, log }, wait, { signal, lastTry }, { failure, line }) {
	if (lastTry?.aborted) throw failure;
	(onRetry ?? log)?.(line);
	const ends = [signal, lastTry].filter((end) => end !== void 0);
	try {
		await transport.sleep(wait, ends.length > 0 ? AbortSignal.any(ends) : void 0);
	} catch (error) {
		throw lastTry?.aborted ? failure : error;
	}
	if (lastTry?.aborted) throw failure;
}
function isAnswered(result) {
	return "value" in result || result.fault.code !== "unreachable";
}
function isBusy({ code, retryAfterMs }) {
	return code === "rate-limited" || retryAfterMs !== void 0;
}
function waitBeforeRetry(method, fault, attempts, random) {
	if (!(method === "GET" || !fault.mayHaveLanded) || !fault.transient || attempts >= retryPolicy.attempts) return void 0;
	return backOff(attempts, random, fault.retryAfterMs);
}
function backOff(attempts, random, asked = 0) {
	if (asked > retryPolicy.longestAsked) return void 0;
	const ceiling = Math.min(retryPolicy.longest, retryPolicy.base * 2 ** (attempts - 1));
	return Math.round(asked + random() * ceiling);
}
function retryLine({ method, url }, fault, next, wait) {
	const seconds = (wait / 1e3).toFixed(1);
	return `${method} ${displayUrl(url)}: ${fault.message} Trying again in ${seconds} s (${next}).`;
}
const documented = {
	name: "documented",
	equivalence: {
		serverAdded: [],
		emptyIsAbsent: false
	},
	complete: (contract) => contract
};
const openmetadata = {
	name: "openmetadata",
	equivalence: {
		serverAdded: [
			[
				"semantics",
				"*",
				"enabled"
			],
			[
				"semantics",
				"*",
				"provider"
			],
			[
				"semantics",
				"*",
				"ignoredEntities"
			],
			[
				"schema",
				"**",
				"fullyQualifiedName"
			],
			[
				"schema",
				"**",
				"dataTypeDisplay"
			],
			[
				"schema",
				"**",
				"dataLength"
			],
			[
				"schema",
				"**",
				"tags"
			]
		],
		emptyIsAbsent: true
	},
	complete: withEntityName
};
function entityNameOf({ name, fullyQualifiedName }) {
	const ending = `.dataContract_${name}`;
	return name !== void 0 && fullyQualifiedName?.endsWith(ending) ? fullyQualifiedName.slice(0, -ending.length) : void 0;
}
function withEntityName(contract) {
	const fullyQualifiedName = entityNameOf(contract);
	return fullyQualifiedName === void 0 ? contract : {
		...contract,
		entity: {
			...contract.entity,
			fullyQualifiedName
		}
	};
}
function chooseDialect(setting, sample) {
	switch (setting) {
		case "documented": return documented;
		case "openmetadata": return openmetadata;
		case "auto": return entityNameOf(sample) === void 0 ? documented : openmetadata;
	}
}
function isEmpty$3(value) {
	return isNothing$1(value) || isArray(value) && value.length === 0;
}
function isNothing$1(value) {
	return value === void 0 || value === null;
}
function heaviestChain(points) {
	const weights = new Float64Array(points.length + 1);
	const previous = new Int32Array(points.length + 1);
	const tree = new Int32Array(columnsOf(points) + 1);
	for (const [index, { desired, weight }] of points.entries()) {
		const before = heaviestUpTo(desired, tree, weights);
		previous[index + 1] = before;
		weights[index + 1] = weight + (weights[before] ?? 0);
		enter(index + 1, desired + 1, tree, weights);
	}
	return walkBack(heaviestUpTo(tree.length - 1, tree, weights), previous, points);
}
function columnsOf(points) {
	let columns = 0;
	for (const { desired } of points) columns = Math.max(columns, desired + 1);
	return columns;
}
function heaviestUpTo(column, tree, weights) {
	let heaviest = 0;
	for (let node = column; node > 0; node -= node & -node) {
		const end = tree[node] ?? 0;
		if ((weights[end] ?? 0) > (weights[heaviest] ?? 0)) heaviest = end;
	}
	return heaviest;
}
function enter(end, column, tree, weights) {
	const weight = weights[end] ?? 0;
	for (let node = column; node < tree.length; node += node & -node) if (weight > (weights[tree[node] ?? 0] ?? 0)) tree[node] = end;
}
function walkBack(end, previous, points) {
	const chain = [];
	for (let number = end; number > 0; number = previous[number] ?? 0) {
		const point = points[number - 1];
		if (point) chain.push(point);
	}
	return chain.toReversed();
}
function equalInAnyOrder(a, b, unordered, name = "") {
	if (deepEqual(a, b)) return true;
	return deepEqual(sortUnordered(a, unordered, name), sortUnordered(b, unordered, name));
}
function textInAnyOrder(value, unordered) {
	return canonicalJson(sortUnordered(value, unordered));
}
function sortUnordered(value, unordered, name = "") {
	if (unordered.length === 0) return value;
	if (isObject$1(value)) return sortMembers(value, unordered);
	if (!isArray(value)) return value;
	const elements = value.map((element) => sortUnordered(element, unordered));
	return unordered.includes(name) ? elements.map(canonicalJson).toSorted() : elements;
}
function sortMembers(object, unordered) {
	return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, sortUnordered(value, unordered, name)]));
}
const defaultKeys = [
	["name"],
	["id"],
	["type", "name"]
];
function identify(arrays, { keys, unordered = [] }) {
	const candidates = candidateKeys(arrays.name, keys);
	for (const key of candidates) {
		const live = uniqueKeys(arrays.live, key);
		const desired = live && uniqueKeys(arrays.desired, key);
		if (desired) return {
			live,
			desired
		};
	}
	const mayRepeat = !unordered.includes(arrays.name);
	const key = candidates.find((each) => isKnown(each, arrays.live, mayRepeat) && isKnown(each, arrays.desired, mayRepeat));
	const identityOf = (element) => (key && keyOf(element, key)) ?? `#=${textInAnyOrder(element, unordered)}`;
	return {
		live: arrays.live.map(identityOf),
		desired: arrays.desired.map(identityOf)
	};
}
function elementKey(element, arrayName, { keys } = {}) {
	for (const key of candidateKeys(arrayName, keys)) {
		const values = keyValues(element, key);
		if (values) return values.join(" ");
	}
}
function isKey(identity) {
	return !identity.startsWith("#=");
}
function candidateKeys(arrayName, keys = {}) {
	const configured = Object.hasOwn(keys, arrayName) ? keys[arrayName] : void 0;
	return configured ? [configured] : defaultKeys;
}
function uniqueKeys(elements, key) {
	const texts = [];
	for (const element of elements) {
		const text = keyOf(element, key);
		if (text === void 0) return void 0;
		texts.push(text);
	}
	return new Set(texts).size === texts.length ? texts : void 0;
}
function isKnown(key, elements, mayRepeat) {
	const found = elements.map((element) => keyOf(element, key)).filter((text) => text !== void 0);
	return found.length > 0 && (mayRepeat || new Set(found).size === found.length);
}
function keyOf(element, key) {
	const first = scalarAt(element, key[0] ?? "");
	if (key.length === 1 && typeof first === "string" && !first.startsWith("#")) return first;
	const values = keyValues(element, key);
	return values && `#${JSON.stringify(values)}`;
}
function keyValues(element, key) {
	const values = [];
	for (const member of key) {
		const value = scalarAt(element, member);
		if (value === void 0) return void 0;
		values.push(value);
	}
	return values;
}
function scalarAt(element, member) {
	if (!isObject$1(element) || !Object.hasOwn(element, member)) return void 0;
	const value = element[member];
	return value === null || typeof value === "object" ? void 0 : value;
}
function pairUp({ live, desired }) {
	const { first, following } = occurrences(desired);
	const shared = [];
	const removed = [];
	for (const [index, identity] of live.entries()) {
		const partner = first.get(identity) ?? none$4;
		if (partner === none$4) removed.push(index);
		else {
			first.set(identity, following[partner] ?? none$4);
			shared.push({
				live: index,
				desired: partner
			});
		}
	}
	return {
		shared,
		removed,
		added: indicesBut(shared.map((pair) => pair.desired), desired.length)
	};
}
const none$4 = -1;
function occurrences(identities) {
	const first = new Map();
	const following = new Int32Array(identities.length);
	for (let index = identities.length - 1; index >= 0; index -= 1) {
		const identity = identities[index] ?? "";
		following[index] = first.get(identity) ?? none$4;
		first.set(identity, index);
	}
	return {
		first,
		following
	};
}
function indicesBut(taken, length) {
	const isTaken = new Uint8Array(length);
	for (const index of taken) isTaken[index] = 1;
	const free = [];
	for (let index = 0; index < length; index += 1) if (isTaken[index] === 0) free.push(index);
	return free;
}
function zip(live, desired) {
	return live.slice(0, desired.length).map((index, rank) => ({
		live: index,
		desired: desired[rank] ?? 0
	}));
}
const closeLooks$1 = 2 ** 16;
function findPartners(arrays, options, agrees) {
	const identities = identify(arrays, options);
	const live = indicesWithoutKey(identities.live);
	const desired = indicesWithoutKey(identities.desired);
	const { shared } = pairUp(identities);
	if (live.length * desired.length > closeLooks$1) return invert(shared);
	const byKey = shared.filter((pair) => isKey(identities.live[pair.live] ?? ""));
	const points = agreeingPoints(live, desired, arrays, agrees);
	return invert([...byKey, ...pairWithoutKey(live, desired, points)]);
}
function indicesWithoutKey(identities) {
	return [...identities.keys()].filter((index) => !isKey(identities[index] ?? ""));
}
function agreeingPoints(live, desired, arrays, agrees) {
	const backwards = desired.toReversed();
	return live.flatMap((from) => backwards.flatMap((to) => {
		const before = arrays.live[from] ?? null;
		const after = arrays.desired[to] ?? null;
		const weight = closeLooks$1 + Number(deepEqual(before, after));
		return agrees(before, after) ? [{
			live: from,
			desired: to,
			weight
		}] : [];
	}));
}
function pairWithoutKey(live, desired, points) {
	const freeLive = new Set(live);
	const freeDesired = new Set(desired);
	const agreeing = [...heaviestChain(points), ...points].filter((pair) => {
		if (!freeLive.has(pair.live) || !freeDesired.has(pair.desired)) return false;
		return freeLive.delete(pair.live) && freeDesired.delete(pair.desired);
	});
	if (freeLive.size !== freeDesired.size) return agreeing;
	return [...agreeing, ...zip([...freeLive], [...freeDesired])];
}
function invert(pairs) {
	return new Map(pairs.map(({ live, desired }) => [desired, live]));
}
function parsePointer(text) {
	if (text === "") return [];
	if (!text.startsWith("/") || /~(?![01])/u.test(text)) return void 0;
	return text.slice(1).split("/").map(unescapeToken);
}
function formatPointer(tokens) {
	let text = "";
	for (const token of tokens) text += `/${escapeToken(token)}`;
	return text;
}
function unescapeToken(token) {
	return token.includes("~") ? token.replaceAll("~1", "/").replaceAll("~0", "~") : token;
}
function escapeToken(token) {
	return /[~/]/u.test(token) ? token.replaceAll("~", "~0").replaceAll("/", "~1") : token;
}
function valueAt(document, pointer) {
	let value = document;
	for (const token of pointer) {
		if (value === void 0) return void 0;
		value = childAt(value, token);
	}
	return value;
}
function childAt(parent, token) {
	if (isArray(parent)) return parent[parseIndex(token) ?? parent.length];
	return isObject$1(parent) && Object.hasOwn(parent, token) ? parent[token] : void 0;
}
function parseIndex(token) {
	return /^(?:0|[1-9]\d*)$/u.test(token) ? Number(token) : void 0;
}
function parsePattern(text) {
	const tokens = parsePointer(text);
	return tokens && tokens.length > 0 ? tokens : void 0;
}
function startMatching(patterns) {
	const literals = new Set(patterns.flatMap((pattern) => pattern));
	const known = new Map();
	return {
		isMatch: patterns.some((pattern) => pattern.every((token) => token === "**")),
		goesOn: patterns.some((pattern) => pattern.length > 0),
		below: (token) => {
			const kind = literals.has(token) ? token : "*";
			const next = known.get(kind) ?? startMatching(patterns.flatMap((pattern) => after$1(pattern, kind)));
			known.set(kind, next);
			return next;
		}
	};
}
function after$1([head, ...rest], token) {
	if (head === void 0) return [];
	if (head === "**") return [[head, ...rest], ...after$1(rest, token)];
	return head === "*" || head === token ? [rest] : [];
}
function preserve(live, desired, { ignore = none$3, fill = none$3, emptyIsAbsent = false }, options = {}) {
	return complete(live, desired, {
		ignore: matchingOf(ignore),
		fill: matchingOf(fill),
		emptyIsAbsent,
		name: "",
		options
	});
}
const none$3 = [];
const matchings = new WeakMap();
function matchingOf(patterns) {
	const matching = matchings.get(patterns) ?? startMatching(patterns);
	matchings.set(patterns, matching);
	return matching;
}
function complete(live, desired, at) {
	if (live === desired || !reaches(at)) return desired;
	if (isObject$1(desired)) return completeObject(isObject$1(live) ? live : {}, desired, at);
	if (isArray(desired)) return completeArray(isArray(live) ? live : [], desired, at);
	return desired;
}
function reaches({ ignore, fill, emptyIsAbsent }) {
	return emptyIsAbsent || ignore.goesOn || fill.goesOn;
}
function completeObject(live, desired, at) {
	const changes = [];
	for (const member of Object.keys(desired)) {
		const value = completeMember(live, desired, at, member);
		if (value !== desired[member]) changes.push([member, value]);
	}
	for (const member of Object.keys(live)) {
		if (Object.hasOwn(desired, member)) continue;
		if (isPreserved(live[member], member, at)) changes.push([member, live[member]]);
	}
	return changes.length === 0 ? desired : withChanges(desired, changes);
}
function isPreserved(value, member, at) {
	if (at.emptyIsAbsent && isEmpty$3(value)) return true;
	return at.ignore.below(member).isMatch || at.fill.below(member).isMatch;
}
function completeMember(live, desired, at, member) {
	const before = Object.hasOwn(live, member) ? live[member] : void 0;
	const ignore = at.ignore.below(member);
	const wanted = desired[member] ?? null;
	if (ignore.isMatch || at.emptyIsAbsent && isEmpty$3(before) && isEmpty$3(wanted)) return before;
	if (isScalar$1(wanted)) return wanted;
	return complete(before, wanted, {
		...at,
		ignore,
		fill: at.fill.below(member),
		name: member
	});
}
function withChanges(desired, changes) {
	const completed = {
		...desired,
		...Object.fromEntries(changes.filter(isPresent))
	};
	for (const [member, value] of changes) if (value === void 0) delete completed[member];
	return completed;
}
function isPresent(member) {
	return member[1] !== void 0;
}
function completeArray(live, desired, at) {
	const element = {
		...at,
		ignore: at.ignore.below(anyIndex),
		fill: at.fill.below(anyIndex)
	};
	if (element.ignore.isMatch) return live;
	if (!reaches(element) || desired.every(isScalar$1)) return desired;
	const agrees = (before, after) => deepEqual(complete(before, after, element), before);
	const partners = findPartners({
		live,
		desired,
		name: at.name
	}, at.options, agrees);
	return desired.map((value, index) => complete(live[partners.get(index) ?? -1], value, element));
}
function isScalar$1(value) {
	return typeof value !== "object" || value === null;
}
const anyIndex = "";
function completeReferences(live, desired) {
	if (!isArray(live) || !isArray(desired)) return desired;
	const unclaimed = new Set(live);
	const claim = (item) => {
		const match = unclaimed.values().find((candidate) => agrees$1(item, candidate));
		if (match === void 0) return item;
		unclaimed.delete(match);
		return match;
	};
	return mostSpecificFirst(desired, claim);
}
function mostSpecificFirst(items, claim) {
	const claimed = [...items];
	const order = items.map((item, index) => ({
		index,
		members: isObject$1(item) ? Object.keys(item).length : 0
	})).toSorted((a, b) => b.members - a.members || a.index - b.index);
	for (const { index } of order) claimed[index] = claim(items[index] ?? null);
	return claimed;
}
function agrees$1(desired, live) {
	return isObject$1(desired) && isObject$1(live) ? membersAgree(desired, live) : deepEqual(desired, live);
}
function membersAgree(desired, live) {
	return Object.entries(desired).every(([member, value]) => Object.hasOwn(live, member) && deepEqual(value, live[member]));
}
const referenceFields = new Set(["owners", "reviewers"]);
function targetDocument(live, managed, equivalence, arrays) {
	const target = { ...live.document };
	for (const [field, wanted] of Object.entries(managed)) {
		const current = target[field];
		if (sameEmptiness(current, wanted, equivalence.emptyIsAbsent)) continue;
		if (wanted === null) delete target[field];
		else target[field] = referenceFields.has(field) ? completeReferences(current, wanted) : wanted;
	}
	return preserved(live.document, target, equivalence, arrays);
}
function sameEmptiness(current, wanted, emptyIsAbsent) {
	if (isNothing$1(current) && wanted === null) return true;
	return emptyIsAbsent && isEmpty$3(current) && isEmpty$3(wanted);
}
function preserved(live, target, { ignore, serverAdded, emptyIsAbsent }, arrays) {
	if (ignore.length + serverAdded.length === 0 && !emptyIsAbsent) return target;
	const completed = preserve(live, target, {
		ignore,
		fill: serverAdded,
		emptyIsAbsent
	}, arrays);
	return isObject$1(completed) ? completed : target;
}
const pairLimit = 2 ** 20;
function alignWithMoves(identities, savings) {
	const { shared, removed, added } = pairUp(identities);
	const kept = shared.map(({ live, desired }) => keptCandidate(live, desired, savings));
	const replaced = candidates$1(removed, added, (i, j) => replacedCandidate(i, j, savings));
	const inPlace = replaced ? heaviestChain(mergeByLive(kept, replaced)) : fillGaps(heaviestChain(kept), removed, added);
	const stays = new Set(inPlace.map(({ live }) => live));
	return mergeByLive(inPlace, shared.filter(({ live }) => !stays.has(live)).map((pair) => link(pair, "moved")));
}
function alignInPlace(identities, savings) {
	const { live, desired } = identities;
	const points = candidates$1([...live.keys()], [...desired.keys()], (i, j) => live[i] === desired[j] ? keptCandidate(i, j, savings) : replacedCandidate(i, j, savings));
	if (points) return heaviestChain(points);
	const { shared } = pairUp(identities);
	const kept = heaviestChain(shared.map((pair) => keptCandidate(pair.live, pair.desired, savings)));
	return fillGaps(kept, indicesBut(kept.map((pair) => pair.live), live.length), indicesBut(kept.map((pair) => pair.desired), desired.length));
}
function alignUnordered(identities) {
	const { shared, removed, added } = pairUp(identities);
	return mergeByLive(shared.map((pair) => link(pair, "kept")), zip(removed, added).map((pair) => link(pair, "replaced")));
}
function candidates$1(live, desired, candidate) {
	if (live.length * desired.length > pairLimit) return void 0;
	const backwards = desired.toReversed();
	return live.flatMap((i) => backwards.map((j) => candidate(i, j)));
}
function keptCandidate(live, desired, { keep }) {
	return {
		live,
		desired,
		kind: "kept",
		weight: keep(live, desired)
	};
}
function replacedCandidate(live, desired, { replace }) {
	return {
		live,
		desired,
		kind: "replaced",
		weight: replace(live, desired)
	};
}
function fillGaps(kept, removed, added) {
	const filled = [];
	const slots = queue(removed);
	const values = queue(added);
	for (const end of [...kept, {
		live: Infinity,
		desired: Infinity
	}]) for (const pair of zip(slots.takeBelow(end.live), values.takeBelow(end.desired))) filled.push(link(pair, "replaced"));
	return mergeByLive(kept, filled);
}
function queue(indices) {
	let start = 0;
	return { takeBelow: (limit) => {
		let end = start;
		while ((indices[end] ?? Infinity) < limit) end += 1;
		const taken = indices.slice(start, end);
		start = end;
		return taken;
	} };
}
function mergeByLive(a, b) {
	const merged = [];
	let taken = 0;
	for (const item of a) {
		for (let other = b[taken]; other && other.live < item.live; other = b[taken]) {
			merged.push(other);
			taken += 1;
		}
		merged.push(item);
	}
	return [...merged, ...b.slice(taken)];
}
function link({ live, desired }, kind) {
	return {
		live,
		desired,
		kind
	};
}
function cheaper(a, b) {
	if (a.length !== b.length) return a.length < b.length ? a : b;
	return editsBytes(a) <= editsBytes(b) ? a : b;
}
function editsBytes(edits) {
	return jsonBytes(edits.map(({ operation }) => operation)) - 2;
}
function jsonBytes(value) {
	return Buffer.byteLength(JSON.stringify(value));
}
function fitsInto(bytes, value) {
	return bytesLeft(bytes, value) >= 0 && jsonBytes(value) <= bytes;
}
function bytesLeft(bytes, value) {
	if (typeof value === "string") return bytes - value.length - 2;
	if (isArray(value)) return bytesLeftByArray(bytes, value);
	return isObject$1(value) ? bytesLeftByObject(bytes, value) : bytes - 1;
}
function bytesLeftByArray(bytes, array) {
	let left = bytes - 1;
	for (const element of array) {
		left = bytesLeft(left - 1, element);
		if (left < 0) return left;
	}
	return left;
}
function bytesLeftByObject(bytes, object) {
	let left = bytes - 1;
	for (const [member, value] of Object.entries(object)) {
		left = bytesLeft(left - member.length - 4, value);
		if (left < 0) return left;
	}
	return left;
}
const root = {
	live: [],
	desired: []
};
function childPlace(parent, live, desired = live) {
	return {
		live: [...parent.live, String(live)],
		desired: [...parent.desired, String(desired)]
	};
}
function replaceEdit(place, value) {
	return {
		operation: {
			op: "replace",
			path: formatPointer(place.live),
			value
		},
		...place
	};
}
function removeEdit({ live }) {
	return {
		operation: {
			op: "remove",
			path: formatPointer(live)
		},
		live
	};
}
function addEdit({ live, desired }, value) {
	return {
		operation: {
			op: "add",
			path: formatPointer(live),
			value
		},
		desired
	};
}
function tallyOf(indices, length) {
	const tally = new Int32Array(length + 1);
	for (const index of indices) tally[index + 1] = 1;
	for (let node = 1; node < tally.length; node += 1) {
		const parent = node + (node & -node);
		if (parent < tally.length) tally[parent] = (tally[parent] ?? 0) + (tally[node] ?? 0);
	}
	return tally;
}
function count$1(tally, index, by) {
	for (let node = index + 1; node < tally.length; node += node & -node) tally[node] = (tally[node] ?? 0) + by;
}
function countBelow(tally, index) {
	let sum = 0;
	for (let node = index; node > 0; node -= node & -node) sum += tally[node] ?? 0;
	return sum;
}
function lineUp(links, live, desired) {
	const kept = links.filter(({ kind }) => kind !== "moved");
	const waiting = links.filter(({ kind }) => kind === "moved");
	const nextKept = new Int32Array(live).fill(desired);
	const lastKept = new Int32Array(desired);
	let previous = {
		live: -1,
		desired: -1
	};
	for (const link of kept) {
		nextKept.fill(link.desired, previous.live + 1, link.live);
		lastKept.fill(previous.live, previous.desired + 1, link.desired);
		previous = link;
	}
	lastKept.fill(Math.max(previous.live, 0), previous.desired + 1);
	return {
		waiting: tallyOf(waiting.map((link) => link.live), live),
		settled: tallyOf(kept.map((link) => link.desired), desired),
		nextKept,
		lastKept
	};
}
function hopOf({ live, desired }, line) {
	const { waiting, settled } = line;
	const from = countBelow(settled, line.nextKept[live] ?? 0) + countBelow(waiting, live);
	const to = countBelow(settled, desired) + countBelow(waiting, line.lastKept[desired] ?? 0);
	return {
		from,
		to: to > from ? to - 1 : to
	};
}
function settle({ live, desired }, { waiting, settled }) {
	count$1(waiting, live, -1);
	count$1(settled, desired, 1);
}
function differingSection(live, desired, place) {
	const start = commonStart(live, desired);
	if (start === live.length && start === desired.length) return void 0;
	const end = commonEnd(live, desired, start);
	return {
		live: live.slice(start, live.length - end),
		desired: desired.slice(start, desired.length - end),
		place,
		name: place.live.at(-1) ?? "",
		start,
		isLast: end === 0
	};
}
function commonStart(live, desired) {
	const shorter = Math.min(live.length, desired.length);
	let count = 0;
	while (count < shorter && deepEqual(live[count], desired[count])) count += 1;
	return count;
}
function commonEnd(live, desired, start) {
	const rest = Math.min(live.length, desired.length) - start;
	let count = 0;
	while (count < rest && deepEqual(live.at(-1 - count), desired.at(-1 - count))) count += 1;
	return count;
}
function elementPlace({ place, start }, live, desired) {
	return childPlace(place, start + live, start + desired);
}
function moveEdits(links, section) {
	const waiting = links.filter(({ kind }) => kind === "moved").toSorted(furthestLast);
	if (waiting.length === 0) return [];
	const edits = [];
	const line = lineUp(links, section.live.length, section.desired.length);
	const path = formatPointer(section.place.live);
	const next = () => takeNext(waiting, line, section);
	for (let step = next(); step; step = next()) {
		settle(step.link, line);
		edits.push(...stepEdits(step, section, path));
	}
	return edits;
}
function takeNext(waiting, line, section) {
	const last = waiting.pop();
	if (!last) return void 0;
	const step = {
		link: last,
		hop: hopOf(last, line)
	};
	if (!isRefused(step.hop, section)) return step;
	const better = waiting.findLastIndex((link) => !isRefused(hopOf(link, line), section));
	if (better < 0) return step;
	const [link = last] = waiting.splice(better, 1);
	waiting.push(last);
	return {
		link,
		hop: hopOf(link, line)
	};
}
function furthestLast(a, b) {
	return a.desired - a.live - (b.desired - b.live) || b.desired - a.desired;
}
function isRefused({ from, to }, { start }) {
	return from < to && String(start + to).startsWith(String(start + from));
}
function stepEdits({ link, hop }, section, path) {
	const from = section.start + hop.from;
	const to = section.start + hop.to;
	const place = elementPlace(section, link.live, link.desired);
	if (!isRefused(hop, section)) return [moveEdit(place, path, from, to)];
	return [moveEdit(place, path, from, 0), moveEdit(place, path, 0, to)];
}
function moveEdit({ live, desired }, path, from, to) {
	return {
		operation: {
			op: "move",
			from: `${path}/${from}`,
			path: `${path}/${to}`
		},
		live,
		desired
	};
}
function emit(section, links, how) {
	return links.flatMap(how.editsWithin).concat(removeEdits(section, links), moveEdits(links, section), addEdits(section, links, how.unordered));
}
function removeEdits(section, links) {
	return indicesBut(links.map(({ live }) => live), section.live.length).toReversed().map((index) => removeEdit(elementPlace(section, index, index)));
}
function addEdits(section, links, unordered) {
	return indicesBut(links.map(({ desired }) => desired), section.desired.length).map((index, rank) => {
		const isAtEnd = unordered || section.isLast && index === links.length + rank;
		const final = section.start + index;
		return addEdit(childPlace(section.place, isAtEnd ? "-" : final, final), section.desired[index] ?? null);
	});
}
function isNearly(live, desired) {
	if (isArray(live) && isArray(desired)) {
		const section = differingSection(live, desired, root);
		return !section || Math.max(section.live.length, section.desired.length) <= 1;
	}
	return isObject$1(live) && isObject$1(desired) && areNearlyEqual(live, desired);
}
function areNearlyEqual(live, desired) {
	let differing = 0;
	for (const member of Object.keys(live)) {
		if (!Object.hasOwn(desired, member) || !deepEqual(live[member], desired[member])) differing += 1;
		if (differing > 1) return false;
	}
	for (const member of Object.keys(desired)) differing += Object.hasOwn(live, member) ? 0 : 1;
	return differing <= 1;
}
const operation = 2 ** 32;
const moveBytes = 36;
const removeBytes = 27;
const addBytes = 33;
const replaceBytes = 37;
function savingsWithMoves(section, bytesWithin) {
	const indices = bytesOfIndices(section);
	return {
		keep: (live, desired) => operation + moveBytes + indices(live, desired),
		replace: savingsOfSlots(section, bytesWithin)
	};
}
function savingsInPlace(section, bytesWithin) {
	const indices = bytesOfIndices(section);
	const values = section.desired.map(jsonBytes);
	const both = 2 * operation + removeBytes + addBytes;
	return {
		keep: (live, desired) => both + indices(live, desired) + (values[desired] ?? 0),
		replace: savingsOfSlots(section, bytesWithin)
	};
}
function savingsOfSlots(section, bytesWithin) {
	const path = pathBytes(section);
	const slot = operation + removeBytes + addBytes - replaceBytes + path;
	return (live, desired) => slot + digits(section.start + desired) + bytesWithin(live, desired);
}
function bytesOfIndices(section) {
	const paths = 2 * pathBytes(section);
	return (live, desired) => paths + digits(section.start + live) + digits(section.start + desired);
}
function pathBytes({ place }) {
	return jsonBytes(formatPointer(place.live)) - 2;
}
function digits(index) {
	let count = 1;
	for (let rest = index; rest >= 10; rest /= 10) count += 1;
	return count;
}
function diffArrays$1(live, desired, place, comparison) {
	const section = differingSection(live, desired, place);
	if (!section) return none$2;
	const { options } = comparison;
	const unordered = isUnordered(section, options);
	const editsWithin = rememberPairs(section, (link) => linkEdits(link, section, comparison));
	return alignments(section, options, editsWithin).map((links) => emit(section, links, {
		unordered,
		editsWithin
	})).reduce(cheaper);
}
function isUnordered({ name }, { unordered = [] }) {
	return unordered.includes(name);
}
const none$2 = [];
function rememberPairs(section, editsWithin) {
	const known = new Map();
	return (link) => {
		if (isUnchanged(link, section)) return none$2;
		const pair = link.live * section.desired.length + link.desired;
		const edits = known.get(pair) ?? editsWithin(link);
		known.set(pair, edits);
		return edits;
	};
}
function isUnchanged({ live, desired, kind }, section) {
	return kind !== "replaced" && deepEqual(section.live[live], section.desired[desired]);
}
function linkEdits({ live, desired, kind }, section, { options, compare }) {
	const before = section.live[live] ?? null;
	const after = section.desired[desired] ?? null;
	const place = elementPlace(section, live, desired);
	const edits = compare(before, after, place, options);
	if (kind !== "replaced") return edits;
	const whole = [replaceEdit(place, after)];
	return edits.length === 1 ? cheaper(edits, whole) : whole;
}
function alignments(section, options, editsWithin) {
	if (section.live.length === 0 || section.desired.length === 0) return [[]];
	const identities = identify(section, options);
	if (isUnordered(section, options)) return [alignUnordered(identities)];
	const within = bytesSavedWithin(section, editsWithin);
	const inPlace = () => alignInPlace(identities, savingsInPlace(section, within));
	if (options.moves === false) return [inPlace()];
	const moving = alignWithMoves(identities, savingsWithMoves(section, within));
	return identities.live.some(isKey) ? [moving] : [moving, inPlace()];
}
const closeLooks = 2 ** 16;
function bytesSavedWithin(section, editsWithin) {
	if (section.live.length * section.desired.length > closeLooks) return () => 0;
	return (live, desired) => {
		const after = section.desired[desired] ?? null;
		if (!isNearly(section.live[live] ?? null, after)) return 0;
		return editsBytes([replaceEdit(elementPlace(section, live, desired), after)]) - editsBytes(editsWithin({
			live,
			desired,
			kind: "replaced"
		}));
	};
}
function diffDocumented(live, desired, options) {
	if (!isObject$1(live) || !isObject$1(desired)) return deepEqual(live, desired) ? [] : [replaceEdit(root, desired)];
	return [...new Set([...Object.keys(live), ...Object.keys(desired)])].toSorted(compareCodeUnits).flatMap((field) => {
		const place = childPlace(root, field);
		const before = Object.hasOwn(live, field) ? live[field] : void 0;
		const after = Object.hasOwn(desired, field) ? desired[field] : void 0;
		if (after === void 0) return [removeEdit(place)];
		if (before === void 0) return [addEdit(place, after)];
		return diffField(before, after, place, options);
	});
}
function diffField(live, desired, place, { unordered = [] }) {
	const name = place.live[0] ?? "";
	if (equalInAnyOrder(live, desired, unordered, name)) return [];
	const whole = replaceEdit(place, desired);
	if (!isArray(live) || !isArray(desired)) return [whole];
	const identities = {
		live: live.map((element) => textInAnyOrder(element, unordered)),
		desired: desired.map((element) => textInAnyOrder(element, unordered))
	};
	const edits = elementEdits(desired, place, identities, unordered.includes(name) ? keptInAnyOrder(identities) : keptInOrder(identities));
	if (edits && (edits.length < 2 || !fitsInto(editsBytes(edits), whole.operation))) return edits;
	return [whole];
}
function elementEdits(elements, place, { live, desired }, kept) {
	const stays = new Set(kept.keys());
	const isThere = new Set(kept.values());
	const removed = [...live.keys()].filter((index) => !stays.has(index));
	const added = [...desired.keys()].filter((index) => !isThere.has(index));
	const gone = new Set(removed.map((index) => live[index]));
	if (added.some((index) => gone.has(desired[index]))) return void 0;
	return [...removed.toReversed().map((index) => removeEdit(childPlace(place, index))), ...added.map((index) => addEdit(childPlace(place, "-", index), elements[index] ?? null))];
}
function keptInOrder({ live, desired }) {
	const kept = new Map();
	for (const [index, identity] of live.entries()) if (identity === desired[kept.size]) kept.set(index, kept.size);
	return kept;
}
function keptInAnyOrder(identities) {
	return new Map(pairUp(identities).shared.map((pair) => [pair.live, pair.desired]));
}
function diff(live, desired, options = {}) {
	return options.operations === "documented" ? diffDocumented(live, desired, options) : diffValues(live, desired, root, options);
}
function diffValues(live, desired, place, options) {
	if (isObject$1(live) && isObject$1(desired)) return diffObjects(live, desired, place, options);
	if (isArray(live) && isArray(desired)) return diffArrays$1(live, desired, place, {
		options,
		compare: diffChild
	});
	return deepEqual(live, desired) ? [] : [replaceEdit(place, desired)];
}
function diffChild(live, desired, place, options) {
	const edits = diffValues(live, desired, place, options);
	if (edits.length < 2) return edits;
	const whole = replaceEdit(place, desired);
	return fitsInto(editsBytes(edits), whole.operation) ? [whole] : edits;
}
function diffObjects(live, desired, place, options) {
	const edits = [];
	for (const member of changedMembers$1(live, desired)) {
		const before = Object.hasOwn(live, member) ? live[member] : void 0;
		const after = Object.hasOwn(desired, member) ? desired[member] : void 0;
		for (const edit of diffMember(before, after, childPlace(place, member), options)) edits.push(edit);
	}
	return edits;
}
function diffMember(live, desired, place, options) {
	if (desired === void 0) return [removeEdit(place)];
	return live === void 0 ? [addEdit(place, desired)] : diffChild(live, desired, place, options);
}
function changedMembers$1(live, desired) {
	const changed = [];
	for (const member of Object.keys(live)) if (!Object.hasOwn(desired, member) || mayDiffer(live[member], desired[member])) changed.push(member);
	for (const member of Object.keys(desired)) if (!Object.hasOwn(live, member)) changed.push(member);
	return changed.toSorted(compareCodeUnits);
}
function mayDiffer(live, desired) {
	return isArray(live) && isArray(desired) || !deepEqual(live, desired);
}
function describeEdit(edit, { live, target }, desired, arrays) {
	const { operation } = edit;
	const before = edit.live && valueAt(live, edit.live);
	const after = edit.desired && valueAt(target, edit.desired);
	const [pointer, document] = edit.desired ? [edit.desired, target] : [edit.live ?? [], live];
	return {
		kind: operation.op,
		path: operation.path,
		label: labelPointer(pointer, document, arrays),
		..."from" in operation && { from: operation.from },
		...before !== void 0 && operation.op !== "move" && { before },
		...after !== void 0 && operation.op !== "move" && { after },
		source: desired.locate(edit.desired ?? parentOf(edit.live ?? []))
	};
}
function parentOf(pointer) {
	return pointer.slice(0, -1);
}
function labelPointer(pointer, document, arrays) {
	let label = "";
	let parent = document;
	let arrayName = "";
	for (const token of pointer) {
		const child = valueAt(parent ?? null, [token]);
		if (isArray(parent)) {
			const key = child === void 0 ? void 0 : elementKey(child, arrayName, arrays);
			label += key === void 0 ? `[${token}]` : `[${token} ${key}]`;
		} else {
			label += label === "" ? token : `.${token}`;
			arrayName = token;
		}
		parent = isArray(child) || isObject$1(child) ? child : void 0;
	}
	return label;
}
function differences({ target }, live, { equivalence, arrays }) {
	const wanted = targetDocument(live, target, equivalence, arrays);
	return diff(live.document, wanted, arrays).map((edit) => edit.desired ? labelPointer(edit.desired, wanted, arrays) : labelPointer(edit.live ?? [], live.document, arrays));
}
function hasMoved({ liveVersion, liveUpdatedAt }, live) {
	return liveUpdatedAt === void 0 ? live.version !== liveVersion : live.updatedAt !== liveUpdatedAt;
}
const identityFields = [
	"id",
	"fullyQualifiedName",
	"name",
	"entity"
];
const managedFields = [
	"description",
	"entityStatus",
	"semantics",
	"sla",
	"schema",
	"owners",
	"reviewers",
	"extension"
];
const optionalFields = [
	"owners",
	"reviewers",
	"extension"
];
const serverFields = [
	"version",
	"updatedAt",
	"updatedBy",
	"changeDescription"
];
async function readContract$1({ id, entityId, target }, reader, signal) {
	const query = {
		fields: optionalFields.filter((field) => Object.hasOwn(target, field)),
		...entityId !== void 0 && { entity: entityId }
	};
	for await (const { contracts } of reader.list(query, signal)) {
		const found = contracts.find((contract) => contract.id === id);
		if (found) return found;
	}
}
const planAgain = "Plan again and have the new plan reviewed.";
const runAgain = "Apply again: it looks at the catalog first, so nothing is done twice.";
const named = 5;
const reasons = {
	unguardable: {
		code: "no-guard",
		message: "The catalog gives neither updatedAt nor version, so nothing tells whether it moved.",
		hint: "Ask the operators of the catalog: its interface promises both."
	},
	interrupted: {
		code: "interrupted",
		message: "The run was interrupted.",
		hint: runAgain
	},
	gone: {
		code: "contract-gone",
		message: "The catalog no longer lists it under its asset.",
		hint: planAgain
	},
	moved: (version) => ({
		code: "contract-moved",
		message: `It was changed since the plan was made${at(version)}, so it was left alone.`,
		hint: planAgain
	}),
	movedOn: (version) => ({
		code: "contract-moved",
		message: `No answer says whether the patch landed, and others have changed it${at(version)}: its history tells whether the patch landed first.`,
		hint: planAgain
	}),
	unknown: (why) => ({
		code: "outcome-unknown",
		message: `No answer says whether the patch landed, and the contract could not be looked at: ${why}`,
		hint: runAgain
	}),
	unforeseen: (why) => ({
		code: "outcome-unknown",
		message: `The patch may have landed; what became of it could not be told: ${why}`,
		hint: `${runAgain} This is a bug in contract-sync: please report it.`
	}),
	refused: ({ code, message, hint, why }) => ({
		code,
		message: `${message} Whether the contract was changed since the plan was made could not be seen: ${why}`,
		hint: hint === void 0 ? runAgain : `${runAgain} ${hint}`
	}),
	mayStillLand: ({ message, hint }) => ({
		code: "outcome-unknown",
		message: `No answer says whether the patch landed; it has not so far. ${message}`,
		hint: hint === void 0 ? runAgain : `${hint} ${runAgain}`
	}),
	unverified: (why) => ({
		code: "not-verified",
		message: `The catalog accepted the patch, but its answer does not show the change, and no second look was possible: ${why}`,
		hint: runAgain
	}),
	differs: (places) => ({
		code: "content-differs",
		message: `The catalog accepted the patch, but the contract differs from the plan at ${list(places)}.`,
		hint: "Look at the contract in the catalog: it changed the values, or somebody did since."
	}),
	storedNothing: (places) => ({
		code: "nothing-stored",
		message: `The catalog accepted the patch and stored nothing: the contract still differs at ${list(places)}.`,
		hint: "Some catalogs store such a field only together with others, or not at all."
	})
};
function explain$1(error) {
	if (!(error instanceof SyncError)) return {
		code: "internal-error",
		message: String(error)
	};
	const { code, message, hint } = error;
	return {
		code,
		message,
		...hint !== void 0 && { hint }
	};
}
function at(version) {
	return version === void 0 ? "" : ` and is at version ${version} now`;
}
function list(places) {
	const rest = places.length - named;
	return [...places.slice(0, named), ...rest > 0 ? [`${rest} more places`] : []].join(", ");
}
async function look(change, run, { mayHaveLanded, error }) {
	const seen = await see(change, run);
	switch (seen.kind) {
		case "interrupted": return mayHaveLanded ? notLanded(change, "failed", reasons.unknown(reasons.interrupted.message)) : skipped(change, reasons.interrupted);
		case "unreadable": return mayHaveLanded ? notLanded(change, "failed", reasons.unknown(explain$1(seen.error).message)) : notLanded(change, "failed", unread(error, explain$1(seen.error)));
		case "gone": return notLanded(change, "stale", reasons.gone);
		case "seen": {
			const { live, missing } = seen;
			if (missing.length === 0) return landed(change, live, mayHaveLanded ? "applied" : "unchanged");
			if (!hasMoved(change, live)) return void 0;
			return notLanded(change, "stale", mayHaveLanded ? reasons.movedOn(live.version) : reasons.moved(live.version), {
				live,
				differences: missing
			});
		}
	}
}
function unread(error, why) {
	return error === void 0 ? why : reasons.refused({
		...explain$1(error),
		why: why.message
	});
}
async function verify(change, answer, run) {
	if (answer.version !== void 0 && answer.version !== change.liveVersion && missingFrom(answer, change, run).length === 0) return landed(change, answer, "applied");
	const seen = await see(change, run);
	switch (seen.kind) {
		case "interrupted": return notLanded(change, "unverified", reasons.unverified(reasons.interrupted.message));
		case "unreadable": return notLanded(change, "unverified", reasons.unverified(explain$1(seen.error).message));
		case "gone": return notLanded(change, "unverified", reasons.unverified(reasons.gone.message));
		case "seen": {
			const { live, missing } = seen;
			if (missing.length === 0) return landed(change, live, "applied");
			return notLanded(change, "unverified", hasMoved(change, live) ? reasons.differs(missing) : reasons.storedNothing(missing), {
				live,
				differences: missing
			});
		}
	}
}
async function see(change, run) {
	if (run.signal?.aborted) return { kind: "interrupted" };
	try {
		const live = await readContract$1(change, run.reader, run.signal);
		return live ? {
			kind: "seen",
			live,
			missing: missingFrom(live, change, run)
		} : { kind: "gone" };
	} catch (error) {
		return run.signal?.aborted ? { kind: "interrupted" } : {
			kind: "unreadable",
			error
		};
	}
}
function missingFrom(live, change, { rules, dialect }) {
	const { equivalence } = chooseDialect(dialect, live);
	return differences(change, live, {
		...rules,
		equivalence: {
			...rules.equivalence,
			...equivalence
		}
	});
}
async function land(change, run) {
	if (!guard(change)) return skipped(change, reasons.unguardable);
	let mode = run.guarding.mode();
	let mayHaveLanded = false;
	if (mode === "bare") {
		const settled = await look(change, run, { mayHaveLanded });
		if (settled) return settled;
	}
	for (let sendings = 1;; sendings += 1) {
		const sent = await send$1(change, mode, run);
		if (sent.kind === "answered") {
			run.guarding.learn(mode);
			return verify(change, sent.live, run);
		}
		mayHaveLanded ||= sent.kind === "lost";
		if (sent.kind === "denied" && !mayHaveLanded) return failed(change, sent.error);
		if (sent.kind === "lost") await pause(sendings, sent.error, run);
		const settled = await look(change, run, {
			mayHaveLanded,
			error: sent.error
		});
		if (settled) return settled;
		const next = nextMode(sent, mode, {
			change,
			run,
			sendings
		});
		if (!next) return failed(change, sent.error, mayHaveLanded);
		mode = next;
	}
}
async function send$1(change, mode, { writer, signal }) {
	const patch = mode === "guarded" ? guard(change) ?? change.patch : change.patch;
	try {
		return {
			kind: "answered",
			live: await writer.patch(change.id, patch, signal)
		};
	} catch (error) {
		if (!(error instanceof ApiError)) return {
			kind: "denied",
			error
		};
		if (error.outcome === "unknown") return {
			kind: "lost",
			error
		};
		return {
			kind: refusals.has(error.status ?? 0) ? "refused" : "denied",
			error
		};
	}
}
const refusals = new Set([
	400,
	409,
	412,
	422
]);
function nextMode(sent, mode, { change, run, sendings }) {
	switch (sent.kind) {
		case "denied": return;
		case "refused": return mode === "guarded" && run.guarding.isDoubtful() ? "bare" : void 0;
		case "lost":
			if (sendings >= retryPolicy.attempts || isAskedForTooLong(sent.error)) return void 0;
			return mode === "guarded" || isRepeatable(change.patch) || sent.error.status === 429 ? mode : void 0;
	}
}
async function pause(sendings, error, run) {
	const wait = backOff(sendings, run.transport.random, error.retryAfterMs);
	if (wait === void 0 || run.signal?.aborted) return;
	run.onRetry?.(`${error.message} Looking what became of it in ${(wait / 1e3).toFixed(1)} s.`);
	await run.transport.sleep(wait, run.signal).catch(() => void 0);
}
function isAskedForTooLong({ retryAfterMs = 0 }) {
	return retryAfterMs > retryPolicy.longestAsked;
}
function failed(change, error, mayHaveLanded = false) {
	const told = explain$1(error);
	return notLanded(change, "failed", mayHaveLanded ? reasons.mayStillLand(told) : told);
}
async function apply$2(options) {
	const { plan, concurrency, signal, maxFailures, onOutcome } = options;
	if (plan.errored || plan.planHash === void 0) throw notApplicable();
	const run = {
		...options,
		transport: {
			...systemTransport,
			...options.transport
		},
		guarding: createGuarding()
	};
	const brake = createBrake({
		signal,
		maxFailures
	});
	return summarizeOutcomes(plan, await pLimit(concurrency).map(updates(plan), async (change) => {
		const reason = brake.reason();
		const outcome = reason ? skipped(change, reason) : await land(change, run).catch(unforeseen(change));
		brake.note(outcome);
		onOutcome?.(outcome);
		return outcome;
	}));
}
function unforeseen(change) {
	return (error) => notLanded(change, "failed", reasons.unforeseen(explain$1(error).message));
}
function notApplicable() {
	return new SyncError("plan-errored", "The plan has errors, so nothing of it may be applied.", { hint: "Mend what the plan reports and plan again." });
}
function add(document, path, value, fail) {
	if (path.length === 0) return value;
	return changeParent(document, path, fail, (parent, token) => {
		if (isObject$1(parent)) return {
			...parent,
			[token]: value
		};
		if (!isArray(parent)) return fail("its path leads into a scalar");
		const index = token === "-" ? parent.length : parseIndex(token);
		if (index === void 0) return fail("an array index is made of digits, or is \"-\"");
		if (index > parent.length) return fail("the index is past the end of the array");
		return parent.toSpliced(index, 0, value);
	});
}
function remove$1(document, path, fail) {
	existing(document, path, fail);
	if (path.length === 0) return fail("a document cannot be removed whole");
	return changeParent(document, path, fail, withoutChild);
}
function replace(document, path, value, fail) {
	existing(document, path, fail);
	if (path.length === 0) return value;
	return changeParent(document, path, fail, (parent, token) => withChild(parent, token, value));
}
function move(document, from, path, fail) {
	const value = existing(document, from, fail);
	const startsWithFrom = from.every((token, depth) => token === path[depth]);
	if (startsWithFrom && from.length === path.length) return document;
	if (startsWithFrom) return fail("a value cannot move into itself");
	return add(remove$1(document, from, fail), path, value, fail);
}
function existing(document, path, fail) {
	const value = valueAt(document, path);
	return value === void 0 ? fail(`nothing stands at "${formatPointer(path)}"`) : value;
}
function changeParent(node, path, fail, change) {
	const [token = "", ...rest] = path;
	if (rest.length === 0) return change(node, token);
	const child = childAt(node, token);
	if (child === void 0) return fail("the parent of its path does not exist");
	return withChild(node, token, changeParent(child, rest, fail, change));
}
function withChild(parent, token, value) {
	if (isArray(parent)) return parent.with(Number(token), value);
	return isObject$1(parent) ? {
		...parent,
		[token]: value
	} : parent;
}
function withoutChild(parent, token) {
	if (isArray(parent)) return parent.toSpliced(Number(token), 1);
	if (!isObject$1(parent)) return parent;
	return Object.fromEntries(Object.entries(parent).filter(([member]) => member !== token));
}
var PatchError = class extends SyncError {
	name = "PatchError";
	index;
	constructor(index, message) {
		super("patch-failed", message);
		this.index = index;
	}
};
function evaluate(document, patch) {
	let current = document;
	for (const [index, operation] of patch.entries()) current = apply$1(current, operation, (reason) => {
		const { op, path } = operation;
		throw new PatchError(index, `Operation ${index} (${op} ${path}) does not apply: ${reason}.`);
	});
	return current;
}
function apply$1(document, operation, fail) {
	const path = tokensOf(operation.path, fail);
	switch (operation.op) {
		case "add": return add(document, path, operation.value, fail);
		case "remove": return remove$1(document, path, fail);
		case "replace": return replace(document, path, operation.value, fail);
		case "move": return move(document, tokensOf(operation.from, fail), path, fail);
		case "copy": return add(document, path, existing(document, tokensOf(operation.from, fail), fail), fail);
		case "test": return test(document, path, operation.value, fail);
	}
}
function test(document, path, value, fail) {
	if (deepEqual(existing(document, path, fail), value)) return document;
	return fail("another value stands there");
}
function tokensOf(text, fail) {
	return parsePointer(text) ?? fail(`"${text}" is not a JSON Pointer`);
}
function parsePatch(value) {
	if (!isArray(value)) throw new PatchError(-1, "A JSON Patch is an array of operations.");
	return value.map((item, index) => parseOperation(item, (reason) => {
		throw new PatchError(index, `Operation ${index} is malformed: ${reason}.`);
	}));
}
function parseOperation(item, fail) {
	if (!isObject$1(item)) return fail("it is not an object");
	const { op } = item;
	const path = pointerMember(item, "path", fail);
	switch (op) {
		case "add":
		case "replace":
		case "test": return {
			op,
			path,
			value: member$1(item, "value", fail)
		};
		case "remove": return {
			op,
			path
		};
		case "move":
		case "copy": return {
			op,
			from: pointerMember(item, "from", fail),
			path
		};
		default: return fail("\"op\" is not one of add, remove, replace, move, copy, test");
	}
}
function pointerMember(item, name, fail) {
	const text = member$1(item, name, fail);
	if (typeof text !== "string") return fail(`"${name}" is not a string`);
	return parsePointer(text) ? text : fail(`"${name}" is not a JSON Pointer`);
}
function member$1(item, name, fail) {
	const value = Object.hasOwn(item, name) ? item[name] : void 0;
	return value === void 0 ? fail(`"${name}" is missing`) : value;
}
function sealPlan(plan) {
	return {
		...plan,
		checksum: checksumOf(plan)
	};
}
function checksumOf(plan) {
	return `sha256:${createHash("sha256").update(canonicalJson(plan)).digest("hex")}`;
}
function openPlan(text, file) {
	const document = parseJson$1(text);
	if (!isObject$1(document)) throw notAPlan(file, "it is not a JSON object");
	refuseOtherFormat(document, file);
	const { checksum = null, ...content } = document;
	if (checksum !== checksumOf(content)) throw edited(file);
	const complaint = complaintAbout$1(content);
	if (complaint !== void 0) throw notAPlan(file, complaint);
	const { checksum: _, ...plan } = JSON.parse(text);
	if (plan.planHash !== void 0 && plan.planHash !== planHash(plan.contracts)) throw edited(file);
	return plan;
}
function parseJson$1(text) {
	try {
		return JSON.parse(text);
	} catch {
		return;
	}
}
function refuseOtherFormat({ formatVersion }, file) {
	if (typeof formatVersion !== "string") throw notAPlan(file, "it has no formatVersion");
	if (/^1\.\d+$/u.test(formatVersion)) return;
	throw new SyncError("plan-format", `The plan in ${file} has format ${formatVersion}, and this release reads 1.x.`, { hint: "Plan again with this release, or apply with the one that made the plan." });
}
function complaintAbout$1(plan) {
	const { catalogUrl, planHash, errored, contracts } = plan;
	if (typeof catalogUrl !== "string") return "it has no catalogUrl";
	if (typeof errored !== "boolean") return "it does not say whether it is errored";
	if (typeof planHash !== "string" && !errored) return "it has no planHash";
	if (!isArray(contracts)) return "it has no list of contracts";
	for (const [index, contract] of contracts.entries()) {
		if (!isObject$1(contract) || typeof contract["action"] !== "string") return `contract ${index} has no action`;
		if (contract["action"] === "update" && !isUpdate(contract)) return `contract ${index} is no complete update`;
	}
}
function isUpdate({ id, patch = null, target, predictedVersions, changes }) {
	return typeof id === "string" && isPatch(patch) && isObject$1(target) && isArray(predictedVersions) && isArray(changes);
}
function isPatch(value) {
	try {
		return parsePatch(value).length > 0;
	} catch (error) {
		if (error instanceof PatchError) return false;
		throw error;
	}
}
function notAPlan(file, complaint) {
	return new SyncError("not-a-plan", `${file} holds no plan: ${complaint}.`, { hint: "Write one with `contract-sync plan --out FILE`." });
}
function edited(file) {
	return new SyncError("plan-edited", `The plan in ${file} is not as it was written.`, { hint: "A plan is applied as it was made, or not at all: plan again." });
}
function count(amount, singular, plural) {
	return `${amount} ${amount === 1 ? singular : plural}`;
}
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
function sanitizeLine(text) {
	return text.replaceAll(unprintable, escapeCharacter$1);
}
function escapeCharacter$1(character) {
	if (character === "\n") return String.raw`\n`;
	if (character === "	") return String.raw`\t`;
	const code = character.codePointAt(0) ?? 0;
	const hex = code.toString(16).toUpperCase();
	return code > 65535 ? `\\u{${hex}}` : `\\u${hex.padStart(4, "0")}`;
}
function describeComparison({ kind, approvedVersion, proposedVersion }) {
	switch (kind) {
		case "landed": return "has landed already";
		case "new": return "was not in the reviewed plan";
		case "gone": return "was reviewed, and nothing is to be done any more";
		case "moved":
		case "changed": {
			const change = kind === "moved" ? "the same operations" : "other operations";
			return approvedVersion !== proposedVersion ? `${change}, and version ${sanitizeLine(approvedVersion ?? "unknown")} is now ${sanitizeLine(proposedVersion ?? "unknown")}` : change;
		}
	}
}
function operationText(operation) {
	const origin = "from" in operation ? ` from ${operation.from}` : "";
	const value = "value" in operation ? ` ${shortened$1(JSON.stringify(operation.value))}` : "";
	return sanitizeLine(`${operation.op} ${operation.path}${origin}${value}`);
}
const longestValue = 160;
function shortened$1(value) {
	return value.length > longestValue ? `${value.slice(0, longestValue)}…` : value;
}
function prose(text) {
	return sanitizeLine(text).replaceAll(reference, `$&${invisible}`).replaceAll(punctuation, characterReference);
}
const invisible = "​";
const reference = /@|#|www(?=\.)|:(?=\/)|GH(?=-\d)/giu;
const punctuation = /["!#$&()*+:<>@[\\\]^_`{|}~]/gu;
function characterReference(character) {
	return `&#${character.charCodeAt(0)};`;
}
function code(text) {
	const line = shorten(sanitizeLine(text));
	return spansAsItIs.test(line) ? `\`${line}\`` : htmlCode(line);
}
const spansAsItIs = /^[^\s`|\\<](?:[^`|\\<]*[^\s`|\\<])?$/u;
function htmlCode(text) {
	const line = shorten(sanitizeLine(text)).replaceAll(/www(?=\.)/giu, `$&${invisible}`).replaceAll(punctuation, characterReference);
	return `<code>${line === "" ? " " : line}</code>`;
}
const longestName = 200;
function shorten(text) {
	if (text.length <= longestName) return text;
	return `${text.slice(0, 199).replace(/[\uD800-\uDBFF]$/u, "")}…`;
}
function fence(language, lines) {
	const body = lines.map((line) => sanitizeLine(line).replaceAll("<!--", `<!${invisible}--`));
	const mark = "`".repeat(Math.max(3, longestRun(body) + 1));
	return [
		`${mark}${language}`,
		...body,
		mark
	].join("\n");
}
function longestRun(lines) {
	let longest = 0;
	for (const line of lines) for (const [run] of line.matchAll(/`+/gu)) longest = Math.max(longest, run.length);
	return longest;
}
function table$1(header, rows) {
	return [
		row(header),
		row(header.map(() => "---")),
		...rows.map(row)
	].join("\n");
}
function row(cells) {
	return `| ${cells.join(" | ")} |`;
}
function firstRows(header, rows, most) {
	const rest = rows.length - most;
	const more = header.map((_, column) => column === 1 ? `… and ${rest} more` : "");
	return table$1(header, [...rows.slice(0, most), ...rest > 0 ? [more] : []]);
}
function collapsible(summary, body, { open = false } = {}) {
	return `<details${open ? " open" : ""}>\n<summary>${summary}</summary>\n\n${body}\n\n</details>`;
}
function comparisonBlocks({ contracts }) {
	if (contracts.length === 0) return [];
	return [["### Since the review"], ...contracts.map((contract) => {
		const headline = `- ${code(contractLabel(contract))}: ${prose(describeComparison(contract))}`;
		const lines = contract.operations.flatMap(operationLines);
		if (contract.kind === "landed" || lines.length === 0) return [headline, ""];
		return [
			`${headline}\n\n${fence("diff", lines)}`,
			headline,
			""
		];
	})];
}
function operationLines(compared) {
	switch (compared.kind) {
		case "same": return [`  ${operationText(compared.operation)}`];
		case "new": return [`+ ${operationText(compared.operation)}`];
		case "gone": return [`- ${operationText(compared.operation)}`];
		case "changed": return [`- ${operationText(compared.approved)}`, `+ ${operationText(compared.operation)}`];
	}
}
var Diff = class {
	diff(oldStr, newStr, options = {}) {
		let callback;
		if (typeof options === "function") {
			callback = options;
			options = {};
		} else if ("callback" in options) callback = options.callback;
		const oldString = this.castInput(oldStr, options);
		const newString = this.castInput(newStr, options);
		const oldTokens = this.removeEmpty(this.tokenize(oldString, options));
		const newTokens = this.removeEmpty(this.tokenize(newString, options));
		return this.diffWithOptionsObj(oldTokens, newTokens, options, callback);
	}
	diffWithOptionsObj(oldTokens, newTokens, options, callback) {
		var _a;
		const done = (value) => {
			value = this.postProcess(value, options);
			if (callback) {
				setTimeout(function() {
					callback(value);
				}, 0);
				return;
			} else return value;
		};
		const newLen = newTokens.length, oldLen = oldTokens.length;
		let editLength = 1;
		let maxEditLength = newLen + oldLen;
		if (options.maxEditLength != null) maxEditLength = Math.min(maxEditLength, options.maxEditLength);
		const maxExecutionTime = (_a = options.timeout) !== null && _a !== void 0 ? _a : Infinity;
		const abortAfterTimestamp = Date.now() + maxExecutionTime;
		const bestPath = [{
			oldPos: -1,
			lastComponent: void 0
		}];
		let newPos = this.extractCommon(bestPath[0], newTokens, oldTokens, 0, options);
		if (bestPath[0].oldPos + 1 >= oldLen && newPos + 1 >= newLen) return done(this.buildValues(bestPath[0].lastComponent, newTokens, oldTokens));
		let minDiagonalToConsider = -Infinity, maxDiagonalToConsider = Infinity;
		const execEditLength = () => {
			for (let diagonalPath = Math.max(minDiagonalToConsider, -editLength); diagonalPath <= Math.min(maxDiagonalToConsider, editLength); diagonalPath += 2) {
				let basePath;
				const removePath = bestPath[diagonalPath - 1], addPath = bestPath[diagonalPath + 1];
				if (removePath) bestPath[diagonalPath - 1] = void 0;
				let canAdd = false;
				if (addPath) {
					const addPathNewPos = addPath.oldPos - diagonalPath;
					canAdd = addPath && 0 <= addPathNewPos && addPathNewPos < newLen;
				}
				const canRemove = removePath && removePath.oldPos + 1 < oldLen;
				if (!canAdd && !canRemove) {
					bestPath[diagonalPath] = void 0;
					continue;
				}
				if (!canRemove || canAdd && removePath.oldPos < addPath.oldPos) basePath = this.addToPath(addPath, true, false, 0, options);
				else basePath = this.addToPath(removePath, false, true, 1, options);
				newPos = this.extractCommon(basePath, newTokens, oldTokens, diagonalPath, options);
				if (basePath.oldPos + 1 >= oldLen && newPos + 1 >= newLen) return done(this.buildValues(basePath.lastComponent, newTokens, oldTokens)) || true;
				else {
					bestPath[diagonalPath] = basePath;
					if (basePath.oldPos + 1 >= oldLen) maxDiagonalToConsider = Math.min(maxDiagonalToConsider, diagonalPath - 1);
					if (newPos + 1 >= newLen) minDiagonalToConsider = Math.max(minDiagonalToConsider, diagonalPath + 1);
				}
			}
			editLength++;
		};
		if (callback) (function exec() {
			setTimeout(function() {
				if (editLength > maxEditLength || Date.now() > abortAfterTimestamp) return callback(void 0);
				if (!execEditLength()) exec();
			}, 0);
		})();
		else while (editLength <= maxEditLength && Date.now() <= abortAfterTimestamp) {
			const ret = execEditLength();
			if (ret) return ret;
		}
	}
	addToPath(path, added, removed, oldPosInc, options) {
		const last = path.lastComponent;
		if (last && !options.oneChangePerToken && last.added === added && last.removed === removed) return {
			oldPos: path.oldPos + oldPosInc,
			lastComponent: {
				count: last.count + 1,
				added,
				removed,
				previousComponent: last.previousComponent
			}
		};
		else return {
			oldPos: path.oldPos + oldPosInc,
			lastComponent: {
				count: 1,
				added,
				removed,
				previousComponent: last
			}
		};
	}
	extractCommon(basePath, newTokens, oldTokens, diagonalPath, options) {
		const newLen = newTokens.length, oldLen = oldTokens.length;
		let oldPos = basePath.oldPos, newPos = oldPos - diagonalPath, commonCount = 0;
		while (newPos + 1 < newLen && oldPos + 1 < oldLen && this.equals(oldTokens[oldPos + 1], newTokens[newPos + 1], options)) {
			newPos++;
			oldPos++;
			commonCount++;
			if (options.oneChangePerToken) basePath.lastComponent = {
				count: 1,
				previousComponent: basePath.lastComponent,
				added: false,
				removed: false
			};
		}
		if (commonCount && !options.oneChangePerToken) basePath.lastComponent = {
			count: commonCount,
			previousComponent: basePath.lastComponent,
			added: false,
			removed: false
		};
		basePath.oldPos = oldPos;
		return newPos;
	}
	equals(left, right, options) {
		if (options.comparator) return options.comparator(left, right);
		else return left === right || !!options.ignoreCase && left.toLowerCase() === right.toLowerCase();
	}
	removeEmpty(array) {
		const ret = [];
		for (let i = 0; i < array.length; i++) if (array[i]) ret.push(array[i]);
		return ret;
	}
	castInput(value, options) {
		return value;
	}
	tokenize(value, options) {
		return Array.from(value);
	}
	join(chars) {
		return chars.join("");
	}
	postProcess(changeObjects, options) {
		return changeObjects;
	}
	get useLongestToken() {
		return false;
	}
	buildValues(lastComponent, newTokens, oldTokens) {
		const components = [];
		let nextComponent;
		while (lastComponent) {
			components.push(lastComponent);
			nextComponent = lastComponent.previousComponent;
			delete lastComponent.previousComponent;
			lastComponent = nextComponent;
		}
		components.reverse();
		const componentLen = components.length;
		let componentPos = 0, newPos = 0, oldPos = 0;
		for (; componentPos < componentLen; componentPos++) {
			const component = components[componentPos];
			if (!component.removed) {
				if (!component.added && this.useLongestToken) {
					let value = newTokens.slice(newPos, newPos + component.count);
					value = value.map(function(value, i) {
						const oldValue = oldTokens[oldPos + i];
						return oldValue.length > value.length ? oldValue : value;
					});
					component.value = this.join(value);
				} else component.value = this.join(newTokens.slice(newPos, newPos + component.count));
				newPos += component.count;
				if (!component.added) oldPos += component.count;
			} else {
				component.value = this.join(oldTokens.slice(oldPos, oldPos + component.count));
				oldPos += component.count;
			}
		}
		return components;
	}
};
var CharacterDiff = class extends Diff {};
new CharacterDiff();
function longestCommonPrefix(str1, str2) {
	let i = 0;
	for (; i < str1.length && i < str2.length; i++) if (str1[i] != str2[i]) return str1.slice(0, i);
	return str1.slice(0, i);
}
function longestCommonSuffix(str1, str2) {
	let i;
	if (!str1 || !str2 || str1[str1.length - 1] != str2[str2.length - 1]) return "";
	for (i = 0; i < str1.length && i < str2.length; i++) if (str1[str1.length - (i + 1)] != str2[str2.length - (i + 1)]) return str1.slice(-i);
	return str1.slice(-i);
}
function replacePrefix(string, oldPrefix, newPrefix) {
	if (string.slice(0, oldPrefix.length) != oldPrefix) throw Error(`string ${JSON.stringify(string)} doesn't start with prefix ${JSON.stringify(oldPrefix)}; this is a bug`);
	return newPrefix + string.slice(oldPrefix.length);
}
function replaceSuffix(string, oldSuffix, newSuffix) {
	if (!oldSuffix) return string + newSuffix;
	if (string.slice(-oldSuffix.length) != oldSuffix) throw Error(`string ${JSON.stringify(string)} doesn't end with suffix ${JSON.stringify(oldSuffix)}; this is a bug`);
	return string.slice(0, -oldSuffix.length) + newSuffix;
}
function removePrefix(string, oldPrefix) {
	return replacePrefix(string, oldPrefix, "");
}
function removeSuffix(string, oldSuffix) {
	return replaceSuffix(string, oldSuffix, "");
}
function maximumOverlap(string1, string2) {
	return string2.slice(0, overlapCount(string1, string2));
}
function overlapCount(a, b) {
	let startA = 0;
	if (a.length > b.length) startA = a.length - b.length;
	let endB = b.length;
	if (a.length < b.length) endB = a.length;
	const map = Array(endB);
	let k = 0;
	map[0] = 0;
	for (let j = 1; j < endB; j++) {
		if (b[j] == b[k]) map[j] = map[k];
		else map[j] = k;
		while (k > 0 && b[j] != b[k]) k = map[k];
		if (b[j] == b[k]) k++;
	}
	k = 0;
	for (let i = startA; i < a.length; i++) {
		while (k > 0 && a[i] != b[k]) k = map[k];
		if (a[i] == b[k]) k++;
	}
	return k;
}
function segment$1(string, segmenter) {
	const parts = [];
	for (const segmentObj of Array.from(segmenter.segment(string))) {
		const segment = segmentObj.segment;
		if (parts.length && /\s/.test(parts[parts.length - 1]) && /\s/.test(segment)) parts[parts.length - 1] += segment;
		else parts.push(segment);
	}
	return parts;
}
function trailingWs(string, segmenter) {
	if (segmenter) return leadingAndTrailingWs(string, segmenter)[1];
	let i;
	for (i = string.length - 1; i >= 0; i--) if (!string[i].match(/\s/)) break;
	return string.substring(i + 1);
}
function leadingWs(string, segmenter) {
	if (segmenter) return leadingAndTrailingWs(string, segmenter)[0];
	const match = string.match(/^\s*/);
	return match ? match[0] : "";
}
function leadingAndTrailingWs(string, segmenter) {
	if (!segmenter) return [leadingWs(string), trailingWs(string)];
	if (segmenter.resolvedOptions().granularity != "word") throw new Error("The segmenter passed must have a granularity of \"word\"");
	const segments = segment$1(string, segmenter);
	const firstSeg = segments[0];
	const lastSeg = segments[segments.length - 1];
	return [/\s/.test(firstSeg) ? firstSeg : "", /\s/.test(lastSeg) ? lastSeg : ""];
}
const extendedWordChars = "a-zA-Z0-9_\\u{AD}\\u{C0}-\\u{D6}\\u{D8}-\\u{F6}\\u{F8}-\\u{2C6}\\u{2C8}-\\u{2D7}\\u{2DE}-\\u{2FF}\\u{1E00}-\\u{1EFF}";
const tokenizeIncludingWhitespace = new RegExp(`[${extendedWordChars}]+|\\s+|[^${extendedWordChars}]`, "ug");
var WordDiff = class extends Diff {
	equals(left, right, options) {
		if (options.ignoreCase) {
			left = left.toLowerCase();
			right = right.toLowerCase();
		}
		return left.trim() === right.trim();
	}
	tokenize(value, options = {}) {
		let parts;
		if (options.intlSegmenter) {
			const segmenter = options.intlSegmenter;
			if (segmenter.resolvedOptions().granularity != "word") throw new Error("The segmenter passed must have a granularity of \"word\"");
			parts = segment$1(value, segmenter);
		} else parts = value.match(tokenizeIncludingWhitespace) || [];
		const tokens = [];
		let prevPart = null;
		parts.forEach((part) => {
			if (/\s/.test(part)) {
				if (prevPart == null) tokens.push(part);
				else tokens.push(tokens.pop() + part);
			} else if (prevPart != null && /\s/.test(prevPart)) {
				if (tokens[tokens.length - 1] == prevPart) tokens.push(tokens.pop() + part);
				else tokens.push(prevPart + part);
			} else tokens.push(part);
			prevPart = part;
		});
		return tokens;
	}
	join(tokens) {
		return tokens.map((token, i) => {
			if (i == 0) return token;
			else return token.replace(/^\s+/, "");
		}).join("");
	}
	postProcess(changes, options) {
		if (!changes || options.oneChangePerToken) return changes;
		let lastKeep = null;
		let insertion = null;
		let deletion = null;
		changes.forEach((change) => {
			if (change.added) insertion = change;
			else if (change.removed) deletion = change;
			else {
				if (insertion || deletion) dedupeWhitespaceInChangeObjects(lastKeep, deletion, insertion, change, options.intlSegmenter);
				lastKeep = change;
				insertion = null;
				deletion = null;
			}
		});
		if (insertion || deletion) dedupeWhitespaceInChangeObjects(lastKeep, deletion, insertion, null, options.intlSegmenter);
		return changes;
	}
};
new WordDiff();
function dedupeWhitespaceInChangeObjects(startKeep, deletion, insertion, endKeep, segmenter) {
	if (deletion && insertion) {
		const [oldWsPrefix, oldWsSuffix] = leadingAndTrailingWs(deletion.value, segmenter);
		const [newWsPrefix, newWsSuffix] = leadingAndTrailingWs(insertion.value, segmenter);
		if (startKeep) {
			const commonWsPrefix = longestCommonPrefix(oldWsPrefix, newWsPrefix);
			startKeep.value = replaceSuffix(startKeep.value, newWsPrefix, commonWsPrefix);
			deletion.value = removePrefix(deletion.value, commonWsPrefix);
			insertion.value = removePrefix(insertion.value, commonWsPrefix);
		}
		if (endKeep) {
			const commonWsSuffix = longestCommonSuffix(oldWsSuffix, newWsSuffix);
			endKeep.value = replacePrefix(endKeep.value, newWsSuffix, commonWsSuffix);
			deletion.value = removeSuffix(deletion.value, commonWsSuffix);
			insertion.value = removeSuffix(insertion.value, commonWsSuffix);
		}
	} else if (insertion) {
		if (startKeep) {
			const ws = leadingWs(insertion.value, segmenter);
			insertion.value = insertion.value.substring(ws.length);
		}
		if (endKeep) {
			const ws = leadingWs(endKeep.value, segmenter);
			endKeep.value = endKeep.value.substring(ws.length);
		}
	} else if (startKeep && endKeep) {
		const newWsFull = leadingWs(endKeep.value, segmenter), [delWsStart, delWsEnd] = leadingAndTrailingWs(deletion.value, segmenter);
		const newWsStart = longestCommonPrefix(newWsFull, delWsStart);
		deletion.value = removePrefix(deletion.value, newWsStart);
		const newWsEnd = longestCommonSuffix(removePrefix(newWsFull, newWsStart), delWsEnd);
		deletion.value = removeSuffix(deletion.value, newWsEnd);
		endKeep.value = replacePrefix(endKeep.value, newWsFull, newWsEnd);
		startKeep.value = replaceSuffix(startKeep.value, newWsFull, newWsFull.slice(0, newWsFull.length - newWsEnd.length));
	} else if (endKeep) {
		const endKeepWsPrefix = leadingWs(endKeep.value, segmenter);
		const overlap = maximumOverlap(trailingWs(deletion.value, segmenter), endKeepWsPrefix);
		deletion.value = removeSuffix(deletion.value, overlap);
	} else if (startKeep) {
		const overlap = maximumOverlap(trailingWs(startKeep.value, segmenter), leadingWs(deletion.value, segmenter));
		deletion.value = removePrefix(deletion.value, overlap);
	}
}
var WordsWithSpaceDiff = class extends Diff {
	tokenize(value) {
		const regex = new RegExp(`(\\r?\\n)|[${extendedWordChars}]+|[^\\S\\n\\r]+|[^${extendedWordChars}]`, "ug");
		return value.match(regex) || [];
	}
};
new WordsWithSpaceDiff();
var LineDiff = class extends Diff {
	constructor() {
		super(...arguments);
		this.tokenize = tokenize;
	}
	equals(left, right, options) {
		if (options.ignoreWhitespace) {
			if (!options.newlineIsToken || !left.includes("\n")) left = left.trim();
			if (!options.newlineIsToken || !right.includes("\n")) right = right.trim();
		} else if (options.ignoreNewlineAtEof && !options.newlineIsToken) {
			if (left.endsWith("\n")) left = left.slice(0, -1);
			if (right.endsWith("\n")) right = right.slice(0, -1);
		}
		return super.equals(left, right, options);
	}
};
new LineDiff();
function tokenize(value, options) {
	if (options.stripTrailingCr) value = value.replace(/\r\n/g, "\n");
	const retLines = [], linesAndNewlines = value.split(/(\n|\r\n)/);
	if (!linesAndNewlines[linesAndNewlines.length - 1]) linesAndNewlines.pop();
	for (let i = 0; i < linesAndNewlines.length; i++) {
		const line = linesAndNewlines[i];
		if (i % 2 && !options.newlineIsToken) retLines[retLines.length - 1] += line;
		else retLines.push(line);
	}
	return retLines;
}
function isSentenceEndPunct(char) {
	return char == "." || char == "!" || char == "?";
}
var SentenceDiff = class extends Diff {
	tokenize(value) {
		var _a;
		const result = [];
		let tokenStartI = 0;
		for (let i = 0; i < value.length; i++) {
			if (i == value.length - 1) {
				result.push(value.slice(tokenStartI));
				break;
			}
			if (isSentenceEndPunct(value[i]) && value[i + 1].match(/\s/)) {
				result.push(value.slice(tokenStartI, i + 1));
				i = tokenStartI = i + 1;
				while ((_a = value[i + 1]) === null || _a === void 0 ? void 0 : _a.match(/\s/)) i++;
				result.push(value.slice(tokenStartI, i + 1));
				tokenStartI = i + 1;
			}
		}
		return result;
	}
};
new SentenceDiff();
var CssDiff = class extends Diff {
	tokenize(value) {
		return value.split(/([{}:;,]|\s+)/);
	}
};
new CssDiff();
var JsonDiff = class extends Diff {
	constructor() {
		super(...arguments);
		this.tokenize = tokenize;
	}
	get useLongestToken() {
		return true;
	}
	castInput(value, options) {
		const { undefinedReplacement, stringifyReplacer = (k, v) => typeof v === "undefined" ? undefinedReplacement : v } = options;
		return typeof value === "string" ? value : JSON.stringify(canonicalize(value, null, null, stringifyReplacer), null, "  ");
	}
	equals(left, right, options) {
		return super.equals(left.replace(/,([\r\n])/g, "$1"), right.replace(/,([\r\n])/g, "$1"), options);
	}
};
new JsonDiff();
function canonicalize(obj, stack, replacementStack, replacer, key) {
	stack = stack || [];
	replacementStack = replacementStack || [];
	if (replacer) obj = replacer(key === void 0 ? "" : key, obj);
	let i = 0;
	for (; i < stack.length; i += 1) if (stack[i] === obj) return replacementStack[i];
	let canonicalizedObj;
	if ("[object Array]" === Object.prototype.toString.call(obj)) {
		stack.push(obj);
		canonicalizedObj = new Array(obj.length);
		replacementStack.push(canonicalizedObj);
		for (i = 0; i < obj.length; i += 1) canonicalizedObj[i] = canonicalize(obj[i], stack, replacementStack, replacer, String(i));
		stack.pop();
		replacementStack.pop();
		return canonicalizedObj;
	}
	if (obj && obj.toJSON) obj = obj.toJSON();
	if (typeof obj === "object" && obj !== null) {
		stack.push(obj);
		canonicalizedObj = {};
		replacementStack.push(canonicalizedObj);
		const sortedKeys = [];
		let key;
		for (key in obj) if (Object.prototype.hasOwnProperty.call(obj, key)) sortedKeys.push(key);
		sortedKeys.sort();
		for (i = 0; i < sortedKeys.length; i += 1) {
			key = sortedKeys[i];
			canonicalizedObj[key] = canonicalize(obj[key], stack, replacementStack, replacer, key);
		}
		stack.pop();
		replacementStack.pop();
	} else canonicalizedObj = obj;
	return canonicalizedObj;
}
var ArrayDiff = class extends Diff {
	tokenize(value) {
		return value.slice();
	}
	join(value) {
		return value;
	}
	removeEmpty(value) {
		return value;
	}
};
const arrayDiff = new ArrayDiff();
function diffArrays(oldArr, newArr, options) {
	return arrayDiff.diff(oldArr, newArr, options);
}
const ALIAS = Symbol.for("yaml.alias");
const DOC = Symbol.for("yaml.document");
const MAP = Symbol.for("yaml.map");
const PAIR = Symbol.for("yaml.pair");
const SCALAR$1 = Symbol.for("yaml.scalar");
const SEQ = Symbol.for("yaml.seq");
const NODE_TYPE = Symbol.for("yaml.node.type");
const isAlias = (node) => !!node && typeof node === "object" && node[NODE_TYPE] === ALIAS;
const isDocument = (node) => !!node && typeof node === "object" && node[NODE_TYPE] === DOC;
const isMap = (node) => !!node && typeof node === "object" && node[NODE_TYPE] === MAP;
const isPair = (node) => !!node && typeof node === "object" && node[NODE_TYPE] === PAIR;
const isScalar = (node) => !!node && typeof node === "object" && node[NODE_TYPE] === SCALAR$1;
const isSeq = (node) => !!node && typeof node === "object" && node[NODE_TYPE] === SEQ;
function isCollection(node) {
	if (node && typeof node === "object") switch (node[NODE_TYPE]) {
		case MAP:
		case SEQ: return true;
	}
	return false;
}
function isNode(node) {
	if (node && typeof node === "object") switch (node[NODE_TYPE]) {
		case ALIAS:
		case MAP:
		case SCALAR$1:
		case SEQ: return true;
	}
	return false;
}
const hasAnchor = (node) => (isScalar(node) || isCollection(node)) && !!node.anchor;
const BREAK$1 = Symbol("break visit");
const SKIP$1 = Symbol("skip children");
const REMOVE$1 = Symbol("remove node");
function visit$1(node, visitor) {
	const visitor_ = initVisitor(visitor);
	if (isDocument(node)) {
		if (visit_(null, node.contents, visitor_, Object.freeze([node])) === REMOVE$1) node.contents = null;
	} else visit_(null, node, visitor_, Object.freeze([]));
}
visit$1.BREAK = BREAK$1;
visit$1.SKIP = SKIP$1;
visit$1.REMOVE = REMOVE$1;
function visit_(key, node, visitor, path) {
	const ctrl = callVisitor(key, node, visitor, path);
	if (isNode(ctrl) || isPair(ctrl)) {
		replaceNode(key, path, ctrl);
		return visit_(key, ctrl, visitor, path);
	}
	if (typeof ctrl !== "symbol") {
		if (isCollection(node)) {
			path = Object.freeze(path.concat(node));
			for (let i = 0; i < node.items.length; ++i) {
				const ci = visit_(i, node.items[i], visitor, path);
				if (typeof ci === "number") i = ci - 1;
				else if (ci === BREAK$1) return BREAK$1;
				else if (ci === REMOVE$1) {
					node.items.splice(i, 1);
					i -= 1;
				}
			}
		} else if (isPair(node)) {
			path = Object.freeze(path.concat(node));
			const ck = visit_("key", node.key, visitor, path);
			if (ck === BREAK$1) return BREAK$1;
			else if (ck === REMOVE$1) node.key = null;
			const cv = visit_("value", node.value, visitor, path);
			if (cv === BREAK$1) return BREAK$1;
			else if (cv === REMOVE$1) node.value = null;
		}
	}
	return ctrl;
}
async function visitAsync(node, visitor) {
	const visitor_ = initVisitor(visitor);
	if (isDocument(node)) {
		if (await visitAsync_(null, node.contents, visitor_, Object.freeze([node])) === REMOVE$1) node.contents = null;
	} else await visitAsync_(null, node, visitor_, Object.freeze([]));
}
visitAsync.BREAK = BREAK$1;
visitAsync.SKIP = SKIP$1;
visitAsync.REMOVE = REMOVE$1;
async function visitAsync_(key, node, visitor, path) {
	const ctrl = await callVisitor(key, node, visitor, path);
	if (isNode(ctrl) || isPair(ctrl)) {
		replaceNode(key, path, ctrl);
		return visitAsync_(key, ctrl, visitor, path);
	}
	if (typeof ctrl !== "symbol") {
		if (isCollection(node)) {
			path = Object.freeze(path.concat(node));
			for (let i = 0; i < node.items.length; ++i) {
				const ci = await visitAsync_(i, node.items[i], visitor, path);
				if (typeof ci === "number") i = ci - 1;
				else if (ci === BREAK$1) return BREAK$1;
				else if (ci === REMOVE$1) {
					node.items.splice(i, 1);
					i -= 1;
				}
			}
		} else if (isPair(node)) {
			path = Object.freeze(path.concat(node));
			const ck = await visitAsync_("key", node.key, visitor, path);
			if (ck === BREAK$1) return BREAK$1;
			else if (ck === REMOVE$1) node.key = null;
			const cv = await visitAsync_("value", node.value, visitor, path);
			if (cv === BREAK$1) return BREAK$1;
			else if (cv === REMOVE$1) node.value = null;
		}
	}
	return ctrl;
}
function initVisitor(visitor) {
	if (typeof visitor === "object" && (visitor.Collection || visitor.Node || visitor.Value)) return Object.assign({
		Alias: visitor.Node,
		Map: visitor.Node,
		Scalar: visitor.Node,
		Seq: visitor.Node
	}, visitor.Value && {
		Map: visitor.Value,
		Scalar: visitor.Value,
		Seq: visitor.Value
	}, visitor.Collection && {
		Map: visitor.Collection,
		Seq: visitor.Collection
	}, visitor);
	return visitor;
}
function callVisitor(key, node, visitor, path) {
	if (typeof visitor === "function") return visitor(key, node, path);
	if (isMap(node)) return visitor.Map?.(key, node, path);
	if (isSeq(node)) return visitor.Seq?.(key, node, path);
	if (isPair(node)) return visitor.Pair?.(key, node, path);
	if (isScalar(node)) return visitor.Scalar?.(key, node, path);
	if (isAlias(node)) return visitor.Alias?.(key, node, path);
}
function replaceNode(key, path, node) {
	const parent = path[path.length - 1];
	if (isCollection(parent)) parent.items[key] = node;
	else if (isPair(parent)) {
		if (key === "key") parent.key = node;
		else parent.value = node;
	} else if (isDocument(parent)) parent.contents = node;
	else {
		const pt = isAlias(parent) ? "alias" : "scalar";
		throw new Error(`Cannot replace node with ${pt} parent`);
	}
}
const escapeChars = {
	"!": "%21",
	",": "%2C",
	"[": "%5B",
	"]": "%5D",
	"{": "%7B",
	"}": "%7D"
};
const escapeTagName = (tn) => tn.replace(/[!,[\]{}]/g, (ch) => escapeChars[ch]);
var Directives = class Directives {
	constructor(yaml, tags) {
		this.docStart = null;
		this.docEnd = false;
		this.yaml = Object.assign({}, Directives.defaultYaml, yaml);
		this.tags = Object.assign({}, Directives.defaultTags, tags);
	}
	clone() {
		const copy = new Directives(this.yaml, this.tags);
		copy.docStart = this.docStart;
		return copy;
	}
	atDocument() {
		const res = new Directives(this.yaml, this.tags);
		switch (this.yaml.version) {
			case "1.1":
				this.atNextDocument = true;
				break;
			case "1.2":
				this.atNextDocument = false;
				this.yaml = {
					explicit: Directives.defaultYaml.explicit,
					version: "1.2"
				};
				this.tags = Object.assign({}, Directives.defaultTags);
		}
		return res;
	}
	add(line, onError) {
		if (this.atNextDocument) {
			this.yaml = {
				explicit: Directives.defaultYaml.explicit,
				version: "1.1"
			};
			this.tags = Object.assign({}, Directives.defaultTags);
			this.atNextDocument = false;
		}
		const parts = line.trim().split(/[ \t]+/);
		const name = parts.shift();
		switch (name) {
			case "%TAG": {
				if (parts.length !== 2) {
					onError(0, "%TAG directive should contain exactly two parts");
					if (parts.length < 2) return false;
				}
				const [handle, prefix] = parts;
				this.tags[handle] = prefix;
				return true;
			}
			case "%YAML": {
				this.yaml.explicit = true;
				if (parts.length !== 1) {
					onError(0, "%YAML directive should contain exactly one part");
					return false;
				}
				const [version] = parts;
				if (version === "1.1" || version === "1.2") {
					this.yaml.version = version;
					return true;
				} else {
					const isValid = /^\d+\.\d+$/.test(version);
					onError(6, `Unsupported YAML version ${version}`, isValid);
					return false;
				}
			}
			default:
				onError(0, `Unknown directive ${name}`, true);
				return false;
		}
	}
	tagName(source, onError) {
		if (source === "!") return "!";
		if (source[0] !== "!") {
			onError(`Not a valid tag: ${source}`);
			return null;
		}
		if (source[1] === "<") {
			const verbatim = source.slice(2, -1);
			if (verbatim === "!" || verbatim === "!!") {
				onError(`Verbatim tags aren't resolved, so ${source} is invalid.`);
				return null;
			}
			if (source[source.length - 1] !== ">") onError("Verbatim tags must end with a >");
			return verbatim;
		}
		const [, handle, suffix] = source.match(/^(.*!)([^!]*)$/s);
		if (!suffix) onError(`The ${source} tag has no suffix`);
		const prefix = this.tags[handle];
		if (prefix) try {
			return prefix + decodeURIComponent(suffix);
		} catch (error) {
			onError(String(error));
			return null;
		}
		if (handle === "!") return source;
		onError(`Could not resolve tag: ${source}`);
		return null;
	}
	tagString(tag) {
		for (const [handle, prefix] of Object.entries(this.tags)) if (tag.startsWith(prefix)) return handle + escapeTagName(tag.substring(prefix.length));
		return tag[0] === "!" ? tag : `!<${tag}>`;
	}
	toString(doc) {
		const lines = this.yaml.explicit ? [`%YAML ${this.yaml.version || "1.2"}`] : [];
		const tagEntries = Object.entries(this.tags);
		let tagNames;
		if (doc && tagEntries.length > 0 && isNode(doc.contents)) {
			const tags = {};
			visit$1(doc.contents, (_key, node) => {
				if (isNode(node) && node.tag) tags[node.tag] = true;
			});
			tagNames = Object.keys(tags);
		} else tagNames = [];
		for (const [handle, prefix] of tagEntries) {
			if (handle === "!!" && prefix === "tag:yaml.org,2002:") continue;
			if (!doc || tagNames.some((tn) => tn.startsWith(prefix))) lines.push(`%TAG ${handle} ${prefix}`);
		}
		return lines.join("\n");
	}
};
Directives.defaultYaml = {
	explicit: false,
	version: "1.2"
};
Directives.defaultTags = { "!!": "tag:yaml.org,2002:" };
function anchorIsValid(anchor) {
	if (/[\x00-\x19\s,[\]{}]/.test(anchor)) {
		const msg = `Anchor must not contain whitespace or control characters: ${JSON.stringify(anchor)}`;
		throw new Error(msg);
	}
	return true;
}
function anchorNames(root) {
	const anchors = new Set();
	visit$1(root, { Value(_key, node) {
		if (node.anchor) anchors.add(node.anchor);
	} });
	return anchors;
}
function findNewAnchor(prefix, exclude) {
	for (let i = 1;; ++i) {
		const name = `${prefix}${i}`;
		if (!exclude.has(name)) return name;
	}
}
function createNodeAnchors(doc, prefix) {
	const aliasObjects = [];
	const sourceObjects = new Map();
	let prevAnchors = null;
	return {
		onAnchor: (source) => {
			aliasObjects.push(source);
			prevAnchors ?? (prevAnchors = anchorNames(doc));
			const anchor = findNewAnchor(prefix, prevAnchors);
			prevAnchors.add(anchor);
			return anchor;
		},
		setAnchors: () => {
			for (const source of aliasObjects) {
				const ref = sourceObjects.get(source);
				if (typeof ref === "object" && ref.anchor && (isScalar(ref.node) || isCollection(ref.node))) ref.node.anchor = ref.anchor;
				else {
					const error = new Error("Failed to resolve repeated object (this should not happen)");
					error.source = source;
					throw error;
				}
			}
		},
		sourceObjects
	};
}
function applyReviver(reviver, obj, key, val) {
	if (val && typeof val === "object") {
		if (Array.isArray(val)) for (let i = 0, len = val.length; i < len; ++i) {
			const v0 = val[i];
			const v1 = applyReviver(reviver, val, String(i), v0);
			if (v1 === void 0) delete val[i];
			else if (v1 !== v0) val[i] = v1;
		}
		else if (val instanceof Map) for (const k of Array.from(val.keys())) {
			const v0 = val.get(k);
			const v1 = applyReviver(reviver, val, k, v0);
			if (v1 === void 0) val.delete(k);
			else if (v1 !== v0) val.set(k, v1);
		}
		else if (val instanceof Set) for (const v0 of Array.from(val)) {
			const v1 = applyReviver(reviver, val, v0, v0);
			if (v1 === void 0) val.delete(v0);
			else if (v1 !== v0) {
				val.delete(v0);
				val.add(v1);
			}
		}
		else for (const [k, v0] of Object.entries(val)) {
			const v1 = applyReviver(reviver, val, k, v0);
			if (v1 === void 0) delete val[k];
			else if (v1 !== v0) val[k] = v1;
		}
	}
	return reviver.call(obj, key, val);
}
function toJS(value, arg, ctx) {
	if (Array.isArray(value)) return value.map((v, i) => toJS(v, String(i), ctx));
	if (value && typeof value.toJSON === "function") {
		if (!ctx || !hasAnchor(value)) return value.toJSON(arg, ctx);
		const data = {
			aliasCount: 0,
			count: 1,
			res: void 0
		};
		ctx.anchors.set(value, data);
		ctx.onCreate = (res) => {
			data.res = res;
			delete ctx.onCreate;
		};
		const res = value.toJSON(arg, ctx);
		if (ctx.onCreate) ctx.onCreate(res);
		return res;
	}
	if (typeof value === "bigint" && !ctx?.keep) return Number(value);
	return value;
}
var NodeBase = class {
	constructor(type) {
		Object.defineProperty(this, NODE_TYPE, { value: type });
	}
	clone() {
		const copy = Object.create(Object.getPrototypeOf(this), Object.getOwnPropertyDescriptors(this));
		if (this.range) copy.range = this.range.slice();
		return copy;
	}
	toJS(doc, { mapAsMap, maxAliasCount, onAnchor, reviver } = {}) {
		if (!isDocument(doc)) throw new TypeError("A document argument is required");
		const ctx = {
			anchors: new Map(),
			doc,
			keep: true,
			mapAsMap: mapAsMap === true,
			mapKeyWarned: false,
			maxAliasCount: typeof maxAliasCount === "number" ? maxAliasCount : 100
		};
		const res = toJS(this, "", ctx);
		if (typeof onAnchor === "function") for (const { count, res } of ctx.anchors.values()) onAnchor(res, count);
		return typeof reviver === "function" ? applyReviver(reviver, { "": res }, "", res) : res;
	}
};
var Alias = class extends NodeBase {
	constructor(source) {
		super(ALIAS);
		this.source = source;
		Object.defineProperty(this, "tag", { set() {
			throw new Error("Alias nodes cannot have tags");
		} });
	}
	resolve(doc, ctx) {
		if (ctx?.maxAliasCount === 0) throw new ReferenceError("Alias resolution is disabled");
		let nodes;
		if (ctx?.aliasResolveCache) nodes = ctx.aliasResolveCache;
		else {
			nodes = [];
			visit$1(doc, { Node: (_key, node) => {
				if (isAlias(node) || hasAnchor(node)) nodes.push(node);
			} });
			if (ctx) ctx.aliasResolveCache = nodes;
		}
		let found = void 0;
		for (const node of nodes) {
			if (node === this) break;
			if (node.anchor === this.source) found = node;
		}
		if (found && ctx) {
			const { anchors, doc, maxAliasCount } = ctx;
			let data = anchors.get(found);
			if (!data) {
				toJS(found, null, ctx);
				data = anchors.get(found);
			}
			if (data?.res === void 0) throw new ReferenceError("This should not happen: Alias anchor was not resolved?");
			if (maxAliasCount >= 0) {
				data.count += 1;
				if (data.aliasCount === 0) data.aliasCount = getAliasCount(doc, found, anchors);
				if (data.count * data.aliasCount > maxAliasCount) throw new ReferenceError("Excessive alias count indicates a resource exhaustion attack");
			}
		}
		return found;
	}
	toJSON(_arg, ctx) {
		if (!ctx) return { source: this.source };
		const source = this.resolve(ctx.doc, ctx);
		if (!source) {
			const msg = `Unresolved alias (the anchor must be set before the alias): ${this.source}`;
			throw new ReferenceError(msg);
		}
		return ctx.anchors.get(source).res;
	}
	toString(ctx, _onComment, _onChompKeep) {
		const src = `*${this.source}`;
		if (ctx) {
			anchorIsValid(this.source);
			if (ctx.options.verifyAliasOrder && !ctx.anchors.has(this.source)) {
				const msg = `Unresolved alias (the anchor must be set before the alias): ${this.source}`;
				throw new Error(msg);
			}
			if (ctx.implicitKey) return `${src} `;
		}
		return src;
	}
};
function getAliasCount(doc, node, anchors) {
	if (isAlias(node)) {
		const source = node.resolve(doc);
		const anchor = anchors && source && anchors.get(source);
		return anchor ? anchor.count * anchor.aliasCount : 0;
	} else if (isCollection(node)) {
		let count = 0;
		for (const item of node.items) {
			const c = getAliasCount(doc, item, anchors);
			if (c > count) count = c;
		}
		return count;
	} else if (isPair(node)) {
		const kc = getAliasCount(doc, node.key, anchors);
		const vc = getAliasCount(doc, node.value, anchors);
		return Math.max(kc, vc);
	}
	return 1;
}
const isScalarValue = (value) => !value || typeof value !== "function" && typeof value !== "object";
var Scalar = class extends NodeBase {
	constructor(value) {
		super(SCALAR$1);
		this.value = value;
	}
	toJSON(arg, ctx) {
		return ctx?.keep ? this.value : toJS(this.value, arg, ctx);
	}
	toString() {
		return String(this.value);
	}
};
Scalar.BLOCK_FOLDED = "BLOCK_FOLDED";
Scalar.BLOCK_LITERAL = "BLOCK_LITERAL";
Scalar.PLAIN = "PLAIN";
Scalar.QUOTE_DOUBLE = "QUOTE_DOUBLE";
Scalar.QUOTE_SINGLE = "QUOTE_SINGLE";
const defaultTagPrefix = "tag:yaml.org,2002:";
function findTagObject(value, tagName, tags) {
	if (tagName) {
		const match = tags.filter((t) => t.tag === tagName);
		const tagObj = match.find((t) => !t.format) ?? match[0];
		if (!tagObj) throw new Error(`Tag ${tagName} not found`);
		return tagObj;
	}
	return tags.find((t) => t.identify?.(value) && !t.format);
}
function createNode(value, tagName, ctx) {
	if (isDocument(value)) value = value.contents;
	if (isNode(value)) return value;
	if (isPair(value)) {
		const map = ctx.schema[MAP].createNode?.(ctx.schema, null, ctx);
		map.items.push(value);
		return map;
	}
	if (value instanceof String || value instanceof Number || value instanceof Boolean || typeof BigInt !== "undefined" && value instanceof BigInt) value = value.valueOf();
	const { aliasDuplicateObjects, onAnchor, onTagObj, schema, sourceObjects } = ctx;
	let ref = void 0;
	if (aliasDuplicateObjects && value && typeof value === "object") {
		ref = sourceObjects.get(value);
		if (ref) {
			ref.anchor ?? (ref.anchor = onAnchor(value));
			return new Alias(ref.anchor);
		} else {
			ref = {
				anchor: null,
				node: null
			};
			sourceObjects.set(value, ref);
		}
	}
	if (tagName?.startsWith("!!")) tagName = defaultTagPrefix + tagName.slice(2);
	let tagObj = findTagObject(value, tagName, schema.tags);
	if (!tagObj) {
		if (value && typeof value.toJSON === "function") value = value.toJSON();
		if (!value || typeof value !== "object") {
			const node = new Scalar(value);
			if (ref) ref.node = node;
			return node;
		}
		tagObj = value instanceof Map ? schema[MAP] : Symbol.iterator in Object(value) ? schema[SEQ] : schema[MAP];
	}
	if (onTagObj) {
		onTagObj(tagObj);
		delete ctx.onTagObj;
	}
	const node = tagObj?.createNode ? tagObj.createNode(ctx.schema, value, ctx) : typeof tagObj?.nodeClass?.from === "function" ? tagObj.nodeClass.from(ctx.schema, value, ctx) : new Scalar(value);
	if (tagName) node.tag = tagName;
	else if (!tagObj.default) node.tag = tagObj.tag;
	if (ref) ref.node = node;
	return node;
}
function collectionFromPath(schema, path, value) {
	let v = value;
	for (let i = path.length - 1; i >= 0; --i) {
		const k = path[i];
		if (typeof k === "number" && Number.isInteger(k) && k >= 0) {
			const a = [];
			a[k] = v;
			v = a;
		} else v = new Map([[k, v]]);
	}
	return createNode(v, void 0, {
		aliasDuplicateObjects: false,
		keepUndefined: false,
		onAnchor: () => {
			throw new Error("This should not happen, please report a bug.");
		},
		schema,
		sourceObjects: new Map()
	});
}
const isEmptyPath = (path) => path == null || typeof path === "object" && !!path[Symbol.iterator]().next().done;
var Collection = class extends NodeBase {
	constructor(type, schema) {
		super(type);
		Object.defineProperty(this, "schema", {
			value: schema,
			configurable: true,
			enumerable: false,
			writable: true
		});
	}
	clone(schema) {
		const copy = Object.create(Object.getPrototypeOf(this), Object.getOwnPropertyDescriptors(this));
		if (schema) copy.schema = schema;
		copy.items = copy.items.map((it) => isNode(it) || isPair(it) ? it.clone(schema) : it);
		if (this.range) copy.range = this.range.slice();
		return copy;
	}
	addIn(path, value) {
		if (isEmptyPath(path)) this.add(value);
		else {
			const [key, ...rest] = path;
			const node = this.get(key, true);
			if (isCollection(node)) node.addIn(rest, value);
			else if (node === void 0 && this.schema) this.set(key, collectionFromPath(this.schema, rest, value));
			else throw new Error(`Expected YAML collection at ${key}. Remaining path: ${rest}`);
		}
	}
	deleteIn(path) {
		const [key, ...rest] = path;
		if (rest.length === 0) return this.delete(key);
		const node = this.get(key, true);
		if (isCollection(node)) return node.deleteIn(rest);
		else throw new Error(`Expected YAML collection at ${key}. Remaining path: ${rest}`);
	}
	getIn(path, keepScalar) {
		const [key, ...rest] = path;
		const node = this.get(key, true);
		if (rest.length === 0) return !keepScalar && isScalar(node) ? node.value : node;
		else return isCollection(node) ? node.getIn(rest, keepScalar) : void 0;
	}
	hasAllNullValues(allowScalar) {
		return this.items.every((node) => {
			if (!isPair(node)) return false;
			const n = node.value;
			return n == null || allowScalar && isScalar(n) && n.value == null && !n.commentBefore && !n.comment && !n.tag;
		});
	}
	hasIn(path) {
		const [key, ...rest] = path;
		if (rest.length === 0) return this.has(key);
		const node = this.get(key, true);
		return isCollection(node) ? node.hasIn(rest) : false;
	}
	setIn(path, value) {
		const [key, ...rest] = path;
		if (rest.length === 0) this.set(key, value);
		else {
			const node = this.get(key, true);
			if (isCollection(node)) node.setIn(rest, value);
			else if (node === void 0 && this.schema) this.set(key, collectionFromPath(this.schema, rest, value));
			else throw new Error(`Expected YAML collection at ${key}. Remaining path: ${rest}`);
		}
	}
};
const stringifyComment = (str) => str.replace(/^(?!$)(?: $)?/gm, "#");
function indentComment(comment, indent) {
	if (/^\n+$/.test(comment)) return comment.substring(1);
	return indent ? comment.replace(/^(?! *$)/gm, indent) : comment;
}
const lineComment = (str, indent, comment) => str.endsWith("\n") ? indentComment(comment, indent) : comment.includes("\n") ? "\n" + indentComment(comment, indent) : (str.endsWith(" ") ? "" : " ") + comment;
const FOLD_FLOW = "flow";
const FOLD_BLOCK = "block";
const FOLD_QUOTED = "quoted";
function foldFlowLines(text, indent, mode = "flow", { indentAtStart, lineWidth = 80, minContentWidth = 20, onFold, onOverflow } = {}) {
	if (!lineWidth || lineWidth < 0) return text;
	if (lineWidth < minContentWidth) minContentWidth = 0;
	const endStep = Math.max(1 + minContentWidth, 1 + lineWidth - indent.length);
	if (text.length <= endStep) return text;
	const folds = [];
	const escapedFolds = {};
	let end = lineWidth - indent.length;
	if (typeof indentAtStart === "number") {
		if (indentAtStart > lineWidth - Math.max(2, minContentWidth)) folds.push(0);
		else end = lineWidth - indentAtStart;
	}
	let split = void 0;
	let prev = void 0;
	let overflow = false;
	let i = -1;
	let escStart = -1;
	let escEnd = -1;
	if (mode === "block") {
		i = consumeMoreIndentedLines(text, i, indent.length);
		if (i !== -1) end = i + endStep;
	}
	for (let ch; ch = text[i += 1];) {
		if (mode === "quoted" && ch === "\\") {
			escStart = i;
			switch (text[i + 1]) {
				case "x":
					i += 3;
					break;
				case "u":
					i += 5;
					break;
				case "U":
					i += 9;
					break;
				default: i += 1;
			}
			escEnd = i;
		}
		if (ch === "\n") {
			if (mode === "block") i = consumeMoreIndentedLines(text, i, indent.length);
			end = i + indent.length + endStep;
			split = void 0;
		} else {
			if (ch === " " && prev && prev !== " " && prev !== "\n" && prev !== "	") {
				const next = text[i + 1];
				if (next && next !== " " && next !== "\n" && next !== "	") split = i;
			}
			if (i >= end) {
				if (split) {
					folds.push(split);
					end = split + endStep;
					split = void 0;
				} else if (mode === "quoted") {
					while (prev === " " || prev === "	") {
						prev = ch;
						ch = text[i += 1];
						overflow = true;
					}
					const j = i > escEnd + 1 ? i - 2 : escStart - 1;
					if (escapedFolds[j]) return text;
					folds.push(j);
					escapedFolds[j] = true;
					end = j + endStep;
					split = void 0;
				} else overflow = true;
			}
		}
		prev = ch;
	}
	if (overflow && onOverflow) onOverflow();
	if (folds.length === 0) return text;
	if (onFold) onFold();
	let res = text.slice(0, folds[0]);
	for (let i = 0; i < folds.length; ++i) {
		const fold = folds[i];
		const end = folds[i + 1] || text.length;
		if (fold === 0) res = `\n${indent}${text.slice(0, end)}`;
		else {
			if (mode === "quoted" && escapedFolds[fold]) res += `${text[fold]}\\`;
			res += `\n${indent}${text.slice(fold + 1, end)}`;
		}
	}
	return res;
}
function consumeMoreIndentedLines(text, i, indent) {
	let end = i;
	let start = i + 1;
	let ch = text[start];
	while (ch === " " || ch === "	") if (i < start + indent) ch = text[++i];
	else {
		do
			ch = text[++i];
		while (ch && ch !== "\n");
		end = i;
		start = i + 1;
		ch = text[start];
	}
	return end;
}
const getFoldOptions = (ctx, isBlock) => ({
	indentAtStart: isBlock ? ctx.indent.length : ctx.indentAtStart,
	lineWidth: ctx.options.lineWidth,
	minContentWidth: ctx.options.minContentWidth
});
const containsDocumentMarker = (str) => /^(%|---|\.\.\.)/m.test(str);
function lineLengthOverLimit(str, lineWidth, indentLength) {
	if (!lineWidth || lineWidth < 0) return false;
	const limit = lineWidth - indentLength;
	const strLen = str.length;
	if (strLen <= limit) return false;
	for (let i = 0, start = 0; i < strLen; ++i) if (str[i] === "\n") {
		if (i - start > limit) return true;
		start = i + 1;
		if (strLen - start <= limit) return false;
	}
	return true;
}
function doubleQuotedString(value, ctx) {
	const json = JSON.stringify(value);
	if (ctx.options.doubleQuotedAsJSON) return json;
	const { implicitKey } = ctx;
	const minMultiLineLength = ctx.options.doubleQuotedMinMultiLineLength;
	const indent = ctx.indent || (containsDocumentMarker(value) ? "  " : "");
	let str = "";
	let start = 0;
	for (let i = 0, ch = json[i]; ch; ch = json[++i]) {
		if (ch === " " && json[i + 1] === "\\" && json[i + 2] === "n") {
			str += json.slice(start, i) + "\\ ";
			i += 1;
			start = i;
			ch = "\\";
		}
		if (ch === "\\") switch (json[i + 1]) {
			case "u":
				{
					str += json.slice(start, i);
					const code = json.substr(i + 2, 4);
					switch (code) {
						case "0000":
							str += "\\0";
							break;
						case "0007":
							str += "\\a";
							break;
						case "000b":
							str += "\\v";
							break;
						case "001b":
							str += "\\e";
							break;
						case "0085":
							str += "\\N";
							break;
						case "00a0":
							str += "\\_";
							break;
						case "2028":
							str += "\\L";
							break;
						case "2029":
							str += "\\P";
							break;
						default: if (code.substr(0, 2) === "00") str += "\\x" + code.substr(2);
						else str += json.substr(i, 6);
					}
					i += 5;
					start = i + 1;
				}
				break;
			case "n":
				if (implicitKey || json[i + 2] === "\"" || json.length < minMultiLineLength) i += 1;
				else {
					str += json.slice(start, i) + "\n\n";
					while (json[i + 2] === "\\" && json[i + 3] === "n" && json[i + 4] !== "\"") {
						str += "\n";
						i += 2;
					}
					str += indent;
					if (json[i + 2] === " ") str += "\\";
					i += 1;
					start = i + 1;
				}
				break;
			default: i += 1;
		}
	}
	str = start ? str + json.slice(start) : json;
	return implicitKey ? str : foldFlowLines(str, indent, FOLD_QUOTED, getFoldOptions(ctx, false));
}
function singleQuotedString(value, ctx) {
	if (ctx.options.singleQuote === false || ctx.implicitKey && value.includes("\n") || /[ \t]\n|\n[ \t]/.test(value)) return doubleQuotedString(value, ctx);
	const indent = ctx.indent || (containsDocumentMarker(value) ? "  " : "");
	const res = "'" + value.replace(/'/g, "''").replace(/\n+/g, `$&\n${indent}`) + "'";
	return ctx.implicitKey ? res : foldFlowLines(res, indent, FOLD_FLOW, getFoldOptions(ctx, false));
}
function quotedString(value, ctx) {
	const { singleQuote } = ctx.options;
	let qs;
	if (singleQuote === false) qs = doubleQuotedString;
	else {
		const hasDouble = value.includes("\"");
		const hasSingle = value.includes("'");
		if (hasDouble && !hasSingle) qs = singleQuotedString;
		else if (hasSingle && !hasDouble) qs = doubleQuotedString;
		else qs = singleQuote ? singleQuotedString : doubleQuotedString;
	}
	return qs(value, ctx);
}
let blockEndNewlines;
try {
	blockEndNewlines = new RegExp("(^|(?<!\n))\n+(?!\n|$)", "g");
} catch {
	blockEndNewlines = /\n+(?!\n|$)/g;
}
function blockString({ comment, type, value }, ctx, onComment, onChompKeep) {
	const { blockQuote, commentString, lineWidth } = ctx.options;
	if (!blockQuote || /\n[\t ]+$/.test(value)) return quotedString(value, ctx);
	const indent = ctx.indent || (ctx.forceBlockIndent || containsDocumentMarker(value) ? "  " : "");
	const literal = blockQuote === "literal" ? true : blockQuote === "folded" || type === Scalar.BLOCK_FOLDED ? false : type === Scalar.BLOCK_LITERAL ? true : !lineLengthOverLimit(value, lineWidth, indent.length);
	if (!value) return literal ? "|\n" : ">\n";
	let chomp;
	let endStart;
	for (endStart = value.length; endStart > 0; --endStart) {
		const ch = value[endStart - 1];
		if (ch !== "\n" && ch !== "	" && ch !== " ") break;
	}
	let end = value.substring(endStart);
	const endNlPos = end.indexOf("\n");
	if (endNlPos === -1) chomp = "-";
	else if (value === end || endNlPos !== end.length - 1) {
		chomp = "+";
		if (onChompKeep) onChompKeep();
	} else chomp = "";
	if (end) {
		value = value.slice(0, -end.length);
		if (end[end.length - 1] === "\n") end = end.slice(0, -1);
		end = end.replace(blockEndNewlines, `$&${indent}`);
	}
	let startWithSpace = false;
	let startEnd;
	let startNlPos = -1;
	for (startEnd = 0; startEnd < value.length; ++startEnd) {
		const ch = value[startEnd];
		if (ch === " ") startWithSpace = true;
		else if (ch === "\n") startNlPos = startEnd;
		else break;
	}
	let start = value.substring(0, startNlPos < startEnd ? startNlPos + 1 : startEnd);
	if (start) {
		value = value.substring(start.length);
		start = start.replace(/\n+/g, `$&${indent}`);
	}
	let header = (startWithSpace ? indent ? "2" : "1" : "") + chomp;
	if (comment) {
		header += " " + commentString(comment.replace(/ ?[\r\n]+/g, " "));
		if (onComment) onComment();
	}
	if (!literal) {
		const foldedValue = value.replace(/\n+/g, "\n$&").replace(/(?:^|\n)([\t ].*)(?:([\n\t ]*)\n(?![\n\t ]))?/g, "$1$2").replace(/\n+/g, `$&${indent}`);
		let literalFallback = false;
		const foldOptions = getFoldOptions(ctx, true);
		if (blockQuote !== "folded" && type !== Scalar.BLOCK_FOLDED) foldOptions.onOverflow = () => {
			literalFallback = true;
		};
		const body = foldFlowLines(`${start}${foldedValue}${end}`, indent, FOLD_BLOCK, foldOptions);
		if (!literalFallback) return `>${header}\n${indent}${body}`;
	}
	value = value.replace(/\n+/g, `$&${indent}`);
	return `|${header}\n${indent}${start}${value}${end}`;
}
function plainString(item, ctx, onComment, onChompKeep) {
	const { type, value } = item;
	const { actualString, implicitKey, indent, indentStep, inFlow } = ctx;
	if (implicitKey && value.includes("\n") || inFlow && /[[\]{},]/.test(value)) return quotedString(value, ctx);
	if (/^[\n\t ,[\]{}#&*!|>'"%@`]|^[?-]$|^[?-][ \t]|[\n:][ \t]|[ \t]\n|[\n\t ]#|[\n\t :]$/.test(value)) return implicitKey || inFlow || !value.includes("\n") ? quotedString(value, ctx) : blockString(item, ctx, onComment, onChompKeep);
	if (!implicitKey && !inFlow && type !== Scalar.PLAIN && value.includes("\n")) return blockString(item, ctx, onComment, onChompKeep);
	if (containsDocumentMarker(value)) {
		if (indent === "") {
			ctx.forceBlockIndent = true;
			return blockString(item, ctx, onComment, onChompKeep);
		} else if (implicitKey && indent === indentStep) return quotedString(value, ctx);
	}
	const str = value.replace(/\n+/g, `$&\n${indent}`);
	if (actualString) {
		const test = (tag) => tag.default && tag.tag !== "tag:yaml.org,2002:str" && tag.test?.test(str);
		const { compat, tags } = ctx.doc.schema;
		if (tags.some(test) || compat?.some(test)) return quotedString(value, ctx);
	}
	return implicitKey ? str : foldFlowLines(str, indent, FOLD_FLOW, getFoldOptions(ctx, false));
}
function stringifyString(item, ctx, onComment, onChompKeep) {
	const { implicitKey, inFlow } = ctx;
	const ss = typeof item.value === "string" ? item : Object.assign({}, item, { value: String(item.value) });
	let { type } = item;
	if (type !== Scalar.QUOTE_DOUBLE) {
		if (/[\x00-\x08\x0b-\x1f\x7f-\x9f\u{D800}-\u{DFFF}]/u.test(ss.value)) type = Scalar.QUOTE_DOUBLE;
	}
	const _stringify = (_type) => {
		switch (_type) {
			case Scalar.BLOCK_FOLDED:
			case Scalar.BLOCK_LITERAL: return implicitKey || inFlow ? quotedString(ss.value, ctx) : blockString(ss, ctx, onComment, onChompKeep);
			case Scalar.QUOTE_DOUBLE: return doubleQuotedString(ss.value, ctx);
			case Scalar.QUOTE_SINGLE: return singleQuotedString(ss.value, ctx);
			case Scalar.PLAIN: return plainString(ss, ctx, onComment, onChompKeep);
			default: return null;
		}
	};
	let res = _stringify(type);
	if (res === null) {
		const { defaultKeyType, defaultStringType } = ctx.options;
		const t = implicitKey && defaultKeyType || defaultStringType;
		res = _stringify(t);
		if (res === null) throw new Error(`Unsupported default string type ${t}`);
	}
	return res;
}
function createStringifyContext(doc, options) {
	const opt = Object.assign({
		blockQuote: true,
		commentString: stringifyComment,
		defaultKeyType: null,
		defaultStringType: "PLAIN",
		directives: null,
		doubleQuotedAsJSON: false,
		doubleQuotedMinMultiLineLength: 40,
		falseStr: "false",
		flowCollectionPadding: true,
		indentSeq: true,
		lineWidth: 80,
		minContentWidth: 20,
		nullStr: "null",
		simpleKeys: false,
		singleQuote: null,
		trailingComma: false,
		trueStr: "true",
		verifyAliasOrder: true
	}, doc.schema.toStringOptions, options);
	let inFlow;
	switch (opt.collectionStyle) {
		case "block":
			inFlow = false;
			break;
		case "flow":
			inFlow = true;
			break;
		default: inFlow = null;
	}
	return {
		anchors: new Set(),
		doc,
		flowCollectionPadding: opt.flowCollectionPadding ? " " : "",
		indent: "",
		indentStep: typeof opt.indent === "number" ? " ".repeat(opt.indent) : "  ",
		inFlow,
		options: opt
	};
}
function getTagObject(tags, item) {
	if (item.tag) {
		const match = tags.filter((t) => t.tag === item.tag);
		if (match.length > 0) return match.find((t) => t.format === item.format) ?? match[0];
	}
	let tagObj = void 0;
	let obj;
	if (isScalar(item)) {
		obj = item.value;
		let match = tags.filter((t) => t.identify?.(obj));
		if (match.length > 1) {
			const testMatch = match.filter((t) => t.test);
			if (testMatch.length > 0) match = testMatch;
		}
		tagObj = match.find((t) => t.format === item.format) ?? match.find((t) => !t.format);
	} else {
		obj = item;
		tagObj = tags.find((t) => t.nodeClass && obj instanceof t.nodeClass);
	}
	if (!tagObj) {
		const name = obj?.constructor?.name ?? (obj === null ? "null" : typeof obj);
		throw new Error(`Tag not resolved for ${name} value`);
	}
	return tagObj;
}
function stringifyProps(node, tagObj, { anchors, doc }) {
	if (!doc.directives) return "";
	const props = [];
	const anchor = (isScalar(node) || isCollection(node)) && node.anchor;
	if (anchor && anchorIsValid(anchor)) {
		anchors.add(anchor);
		props.push(`&${anchor}`);
	}
	const tag = node.tag ?? (tagObj.default ? null : tagObj.tag);
	if (tag) props.push(doc.directives.tagString(tag));
	return props.join(" ");
}
function stringify$1(item, ctx, onComment, onChompKeep) {
	if (isPair(item)) return item.toString(ctx, onComment, onChompKeep);
	if (isAlias(item)) {
		if (ctx.doc.directives) return item.toString(ctx);
		if (ctx.resolvedAliases?.has(item)) throw new TypeError(`Cannot stringify circular structure without alias nodes`);
		else {
			if (ctx.resolvedAliases) ctx.resolvedAliases.add(item);
			else ctx.resolvedAliases = new Set([item]);
			item = item.resolve(ctx.doc);
		}
	}
	let tagObj = void 0;
	const node = isNode(item) ? item : ctx.doc.createNode(item, { onTagObj: (o) => tagObj = o });
	tagObj ?? (tagObj = getTagObject(ctx.doc.schema.tags, node));
	const props = stringifyProps(node, tagObj, ctx);
	if (props.length > 0) ctx.indentAtStart = (ctx.indentAtStart ?? 0) + props.length + 1;
	const str = typeof tagObj.stringify === "function" ? tagObj.stringify(node, ctx, onComment, onChompKeep) : isScalar(node) ? stringifyString(node, ctx, onComment, onChompKeep) : node.toString(ctx, onComment, onChompKeep);
	if (!props) return str;
	return isScalar(node) || str[0] === "{" || str[0] === "[" ? `${props} ${str}` : `${props}\n${ctx.indent}${str}`;
}
function stringifyPair({ key, value }, ctx, onComment, onChompKeep) {
	const { allNullValues, doc, indent, indentStep, options: { commentString, indentSeq, simpleKeys } } = ctx;
	let keyComment = isNode(key) && key.comment || null;
	if (simpleKeys) {
		if (keyComment) throw new Error("With simple keys, key nodes cannot have comments");
		if (isCollection(key) || !isNode(key) && typeof key === "object") throw new Error("With simple keys, collection cannot be used as a key value");
	}
	let explicitKey = !simpleKeys && (!key || keyComment && value == null && !ctx.inFlow || isCollection(key) || (isScalar(key) ? key.type === Scalar.BLOCK_FOLDED || key.type === Scalar.BLOCK_LITERAL : typeof key === "object"));
	ctx = Object.assign({}, ctx, {
		allNullValues: false,
		implicitKey: !explicitKey && (simpleKeys || !allNullValues),
		indent: indent + indentStep
	});
	let keyCommentDone = false;
	let chompKeep = false;
	let str = stringify$1(key, ctx, () => keyCommentDone = true, () => chompKeep = true);
	if (!explicitKey && !ctx.inFlow && str.length > 1024) {
		if (simpleKeys) throw new Error("With simple keys, single line scalar must not span more than 1024 characters");
		explicitKey = true;
	}
	if (ctx.inFlow) {
		if (allNullValues || value == null) {
			if (keyCommentDone && onComment) onComment();
			return str === "" ? "?" : explicitKey ? `? ${str}` : str;
		}
	} else if (allNullValues && !simpleKeys || value == null && explicitKey) {
		str = `? ${str}`;
		if (keyComment && !keyCommentDone) str += lineComment(str, ctx.indent, commentString(keyComment));
		else if (chompKeep && onChompKeep) onChompKeep();
		return str;
	}
	if (keyCommentDone) keyComment = null;
	if (explicitKey) {
		if (keyComment) str += lineComment(str, ctx.indent, commentString(keyComment));
		str = `? ${str}\n${indent}:`;
	} else {
		str = `${str}:`;
		if (keyComment) str += lineComment(str, ctx.indent, commentString(keyComment));
	}
	let vsb, vcb, valueComment;
	if (isNode(value)) {
		vsb = !!value.spaceBefore;
		vcb = value.commentBefore;
		valueComment = value.comment;
	} else {
		vsb = false;
		vcb = null;
		valueComment = null;
		if (value && typeof value === "object") value = doc.createNode(value);
	}
	ctx.implicitKey = false;
	if (!explicitKey && !keyComment && isScalar(value)) ctx.indentAtStart = str.length + 1;
	chompKeep = false;
	if (!indentSeq && indentStep.length >= 2 && !ctx.inFlow && !explicitKey && isSeq(value) && !value.flow && !value.tag && !value.anchor) ctx.indent = ctx.indent.substring(2);
	let valueCommentDone = false;
	const valueStr = stringify$1(value, ctx, () => valueCommentDone = true, () => chompKeep = true);
	let ws = " ";
	if (keyComment || vsb || vcb) {
		ws = vsb ? "\n" : "";
		if (vcb) {
			const cs = commentString(vcb);
			ws += `\n${indentComment(cs, ctx.indent)}`;
		}
		if (valueStr === "" && !ctx.inFlow) {
			if (ws === "\n" && valueComment) ws = "\n\n";
		} else ws += `\n${ctx.indent}`;
	} else if (!explicitKey && isCollection(value)) {
		const vs0 = valueStr[0];
		const nl0 = valueStr.indexOf("\n");
		const hasNewline = nl0 !== -1;
		const flow = ctx.inFlow ?? value.flow ?? value.items.length === 0;
		if (hasNewline || !flow) {
			let hasPropsLine = false;
			if (hasNewline && (vs0 === "&" || vs0 === "!")) {
				let sp0 = valueStr.indexOf(" ");
				if (vs0 === "&" && sp0 !== -1 && sp0 < nl0 && valueStr[sp0 + 1] === "!") sp0 = valueStr.indexOf(" ", sp0 + 1);
				if (sp0 === -1 || nl0 < sp0) hasPropsLine = true;
			}
			if (!hasPropsLine) ws = `\n${ctx.indent}`;
		}
	} else if (valueStr === "" || valueStr[0] === "\n") ws = "";
	str += ws + valueStr;
	if (ctx.inFlow) {
		if (valueCommentDone && onComment) onComment();
	} else if (valueComment && !valueCommentDone) str += lineComment(str, ctx.indent, commentString(valueComment));
	else if (chompKeep && onChompKeep) onChompKeep();
	return str;
}
function warn(logLevel, warning) {
	if (logLevel === "debug" || logLevel === "warn") console.warn(warning);
}
const MERGE_KEY = "<<";
const merge = {
	identify: (value) => value === MERGE_KEY || typeof value === "symbol" && value.description === MERGE_KEY,
	default: "key",
	tag: "tag:yaml.org,2002:merge",
	test: /^<<$/,
	resolve: () => Object.assign(new Scalar(Symbol(MERGE_KEY)), { addToJSMap: addMergeToJSMap }),
	stringify: () => MERGE_KEY
};
const isMergeKey$1 = (ctx, key) => (merge.identify(key) || isScalar(key) && (!key.type || key.type === Scalar.PLAIN) && merge.identify(key.value)) && ctx?.doc.schema.tags.some((tag) => tag.tag === merge.tag && tag.default);
function addMergeToJSMap(ctx, map, value) {
	const source = resolveAliasValue(ctx, value);
	if (isSeq(source)) for (const it of source.items) mergeValue(ctx, map, it);
	else if (Array.isArray(source)) for (const it of source) mergeValue(ctx, map, it);
	else mergeValue(ctx, map, source);
}
function mergeValue(ctx, map, value) {
	const source = resolveAliasValue(ctx, value);
	if (!isMap(source)) throw new Error("Merge sources must be maps or map aliases");
	const srcMap = source.toJSON(null, ctx, Map);
	for (const [key, value] of srcMap) if (map instanceof Map) {
		if (!map.has(key)) map.set(key, value);
	} else if (map instanceof Set) map.add(key);
	else if (!Object.prototype.hasOwnProperty.call(map, key)) Object.defineProperty(map, key, {
		value,
		writable: true,
		enumerable: true,
		configurable: true
	});
	return map;
}
function resolveAliasValue(ctx, value) {
	return ctx && isAlias(value) ? value.resolve(ctx.doc, ctx) : value;
}
function addPairToJSMap(ctx, map, { key, value }) {
	if (isNode(key) && key.addToJSMap) key.addToJSMap(ctx, map, value);
	else if (isMergeKey$1(ctx, key)) addMergeToJSMap(ctx, map, value);
	else {
		const jsKey = toJS(key, "", ctx);
		if (map instanceof Map) map.set(jsKey, toJS(value, jsKey, ctx));
		else if (map instanceof Set) map.add(jsKey);
		else {
			const stringKey = stringifyKey(key, jsKey, ctx);
			const jsValue = toJS(value, stringKey, ctx);
			if (stringKey in map) Object.defineProperty(map, stringKey, {
				value: jsValue,
				writable: true,
				enumerable: true,
				configurable: true
			});
			else map[stringKey] = jsValue;
		}
	}
	return map;
}
function stringifyKey(key, jsKey, ctx) {
	if (jsKey === null) return "";
	if (typeof jsKey !== "object") return String(jsKey);
	if (isNode(key) && ctx?.doc) {
		const strCtx = createStringifyContext(ctx.doc, {});
		strCtx.anchors = new Set();
		for (const node of ctx.anchors.keys()) strCtx.anchors.add(node.anchor);
		strCtx.inFlow = true;
		strCtx.inStringifyKey = true;
		const strKey = key.toString(strCtx);
		if (!ctx.mapKeyWarned) {
			let jsonStr = JSON.stringify(strKey);
			if (jsonStr.length > 40) jsonStr = jsonStr.substring(0, 36) + "...\"";
			warn(ctx.doc.options.logLevel, `Keys with collection values will be stringified due to JS Object restrictions: ${jsonStr}. Set mapAsMap: true to use object keys.`);
			ctx.mapKeyWarned = true;
		}
		return strKey;
	}
	return JSON.stringify(jsKey);
}
function createPair(key, value, ctx) {
	return new Pair(createNode(key, void 0, ctx), createNode(value, void 0, ctx));
}
var Pair = class Pair {
	constructor(key, value = null) {
		Object.defineProperty(this, NODE_TYPE, { value: PAIR });
		this.key = key;
		this.value = value;
	}
	clone(schema) {
		let { key, value } = this;
		if (isNode(key)) key = key.clone(schema);
		if (isNode(value)) value = value.clone(schema);
		return new Pair(key, value);
	}
	toJSON(_, ctx) {
		return addPairToJSMap(ctx, ctx?.mapAsMap ? new Map() : {}, this);
	}
	toString(ctx, onComment, onChompKeep) {
		return ctx?.doc ? stringifyPair(this, ctx, onComment, onChompKeep) : JSON.stringify(this);
	}
};
function stringifyCollection(collection, ctx, options) {
	return (ctx.inFlow ?? collection.flow ? stringifyFlowCollection : stringifyBlockCollection)(collection, ctx, options);
}
function stringifyBlockCollection({ comment, items }, ctx, { blockItemPrefix, flowChars, itemIndent, onChompKeep, onComment }) {
	const { indent, options: { commentString } } = ctx;
	const itemCtx = Object.assign({}, ctx, {
		indent: itemIndent,
		type: null
	});
	let chompKeep = false;
	const lines = [];
	for (let i = 0; i < items.length; ++i) {
		const item = items[i];
		let comment = null;
		if (isNode(item)) {
			if (!chompKeep && item.spaceBefore) lines.push("");
			addCommentBefore(ctx, lines, item.commentBefore, chompKeep);
			if (item.comment) comment = item.comment;
		} else if (isPair(item)) {
			const ik = isNode(item.key) ? item.key : null;
			if (ik) {
				if (!chompKeep && ik.spaceBefore) lines.push("");
				addCommentBefore(ctx, lines, ik.commentBefore, chompKeep);
			}
		}
		chompKeep = false;
		let str = stringify$1(item, itemCtx, () => comment = null, () => chompKeep = true);
		if (comment) str += lineComment(str, itemIndent, commentString(comment));
		if (chompKeep && comment) chompKeep = false;
		lines.push(blockItemPrefix + str);
	}
	let str;
	if (lines.length === 0) str = flowChars.start + flowChars.end;
	else {
		str = lines[0];
		for (let i = 1; i < lines.length; ++i) {
			const line = lines[i];
			str += line ? `\n${indent}${line}` : "\n";
		}
	}
	if (comment) {
		str += "\n" + indentComment(commentString(comment), indent);
		if (onComment) onComment();
	} else if (chompKeep && onChompKeep) onChompKeep();
	return str;
}
function stringifyFlowCollection({ items }, ctx, { flowChars, itemIndent }) {
	const { indent, indentStep, flowCollectionPadding: fcPadding, options: { commentString } } = ctx;
	itemIndent += indentStep;
	const itemCtx = Object.assign({}, ctx, {
		indent: itemIndent,
		inFlow: true,
		type: null
	});
	let reqNewline = false;
	let linesAtValue = 0;
	const lines = [];
	for (let i = 0; i < items.length; ++i) {
		const item = items[i];
		let comment = null;
		if (isNode(item)) {
			if (item.spaceBefore) lines.push("");
			addCommentBefore(ctx, lines, item.commentBefore, false);
			if (item.comment) comment = item.comment;
		} else if (isPair(item)) {
			const ik = isNode(item.key) ? item.key : null;
			if (ik) {
				if (ik.spaceBefore) lines.push("");
				addCommentBefore(ctx, lines, ik.commentBefore, false);
				if (ik.comment) reqNewline = true;
			}
			const iv = isNode(item.value) ? item.value : null;
			if (iv) {
				if (iv.comment) comment = iv.comment;
				if (iv.commentBefore) reqNewline = true;
			} else if (item.value == null && ik?.comment) comment = ik.comment;
		}
		if (comment) reqNewline = true;
		let str = stringify$1(item, itemCtx, () => comment = null);
		reqNewline || (reqNewline = lines.length > linesAtValue || str.includes("\n"));
		if (i < items.length - 1) str += ",";
		else if (ctx.options.trailingComma) {
			if (ctx.options.lineWidth > 0) reqNewline || (reqNewline = lines.reduce((sum, line) => sum + line.length + 2, 2) + (str.length + 2) > ctx.options.lineWidth);
			if (reqNewline) str += ",";
		}
		if (comment) str += lineComment(str, itemIndent, commentString(comment));
		lines.push(str);
		linesAtValue = lines.length;
	}
	const { start, end } = flowChars;
	if (lines.length === 0) return start + end;
	else {
		if (!reqNewline) {
			const len = lines.reduce((sum, line) => sum + line.length + 2, 2);
			reqNewline = ctx.options.lineWidth > 0 && len > ctx.options.lineWidth;
		}
		if (reqNewline) {
			let str = start;
			for (const line of lines) str += line ? `\n${indentStep}${indent}${line}` : "\n";
			return `${str}\n${indent}${end}`;
		} else return `${start}${fcPadding}${lines.join(" ")}${fcPadding}${end}`;
	}
}
function addCommentBefore({ indent, options: { commentString } }, lines, comment, chompKeep) {
	if (comment && chompKeep) comment = comment.replace(/^\n+/, "");
	if (comment) {
		const ic = indentComment(commentString(comment), indent);
		lines.push(ic.trimStart());
	}
}
function findPair(items, key) {
	const k = isScalar(key) ? key.value : key;
	for (const it of items) if (isPair(it)) {
		if (it.key === key || it.key === k) return it;
		if (isScalar(it.key) && it.key.value === k) return it;
	}
}
var YAMLMap = class extends Collection {
	static get tagName() {
		return "tag:yaml.org,2002:map";
	}
	constructor(schema) {
		super(MAP, schema);
		this.items = [];
	}
	static from(schema, obj, ctx) {
		const { keepUndefined, replacer } = ctx;
		const map = new this(schema);
		const add = (key, value) => {
			if (typeof replacer === "function") value = replacer.call(obj, key, value);
			else if (Array.isArray(replacer) && !replacer.includes(key)) return;
			if (value !== void 0 || keepUndefined) map.items.push(createPair(key, value, ctx));
		};
		if (obj instanceof Map) for (const [key, value] of obj) add(key, value);
		else if (obj && typeof obj === "object") for (const key of Object.keys(obj)) add(key, obj[key]);
		if (typeof schema.sortMapEntries === "function") map.items.sort(schema.sortMapEntries);
		return map;
	}
	add(pair, overwrite) {
		let _pair;
		if (isPair(pair)) _pair = pair;
		else if (!pair || typeof pair !== "object" || !("key" in pair)) _pair = new Pair(pair, pair?.value);
		else _pair = new Pair(pair.key, pair.value);
		const prev = findPair(this.items, _pair.key);
		const sortEntries = this.schema?.sortMapEntries;
		if (prev) {
			if (!overwrite) throw new Error(`Key ${_pair.key} already set`);
			if (isScalar(prev.value) && isScalarValue(_pair.value)) prev.value.value = _pair.value;
			else prev.value = _pair.value;
		} else if (sortEntries) {
			const i = this.items.findIndex((item) => sortEntries(_pair, item) < 0);
			if (i === -1) this.items.push(_pair);
			else this.items.splice(i, 0, _pair);
		} else this.items.push(_pair);
	}
	delete(key) {
		const it = findPair(this.items, key);
		if (!it) return false;
		return this.items.splice(this.items.indexOf(it), 1).length > 0;
	}
	get(key, keepScalar) {
		const node = findPair(this.items, key)?.value;
		return (!keepScalar && isScalar(node) ? node.value : node) ?? void 0;
	}
	has(key) {
		return !!findPair(this.items, key);
	}
	set(key, value) {
		this.add(new Pair(key, value), true);
	}
	toJSON(_, ctx, Type) {
		const map = Type ? new Type() : ctx?.mapAsMap ? new Map() : {};
		if (ctx?.onCreate) ctx.onCreate(map);
		for (const item of this.items) addPairToJSMap(ctx, map, item);
		return map;
	}
	toString(ctx, onComment, onChompKeep) {
		if (!ctx) return JSON.stringify(this);
		for (const item of this.items) if (!isPair(item)) throw new Error(`Map items must all be pairs; found ${JSON.stringify(item)} instead`);
		if (!ctx.allNullValues && this.hasAllNullValues(false)) ctx = Object.assign({}, ctx, { allNullValues: true });
		return stringifyCollection(this, ctx, {
			blockItemPrefix: "",
			flowChars: {
				start: "{",
				end: "}"
			},
			itemIndent: ctx.indent || "",
			onChompKeep,
			onComment
		});
	}
};
const map = {
	collection: "map",
	default: true,
	nodeClass: YAMLMap,
	tag: "tag:yaml.org,2002:map",
	resolve(map, onError) {
		if (!isMap(map)) onError("Expected a mapping for this tag");
		return map;
	},
	createNode: (schema, obj, ctx) => YAMLMap.from(schema, obj, ctx)
};
var YAMLSeq = class extends Collection {
	static get tagName() {
		return "tag:yaml.org,2002:seq";
	}
	constructor(schema) {
		super(SEQ, schema);
		this.items = [];
	}
	add(value) {
		this.items.push(value);
	}
	delete(key) {
		const idx = asItemIndex(key);
		if (typeof idx !== "number") return false;
		return this.items.splice(idx, 1).length > 0;
	}
	get(key, keepScalar) {
		const idx = asItemIndex(key);
		if (typeof idx !== "number") return void 0;
		const it = this.items[idx];
		return !keepScalar && isScalar(it) ? it.value : it;
	}
	has(key) {
		const idx = asItemIndex(key);
		return typeof idx === "number" && idx < this.items.length;
	}
	set(key, value) {
		const idx = asItemIndex(key);
		if (typeof idx !== "number") throw new Error(`Expected a valid index, not ${key}.`);
		const prev = this.items[idx];
		if (isScalar(prev) && isScalarValue(value)) prev.value = value;
		else this.items[idx] = value;
	}
	toJSON(_, ctx) {
		const seq = [];
		if (ctx?.onCreate) ctx.onCreate(seq);
		let i = 0;
		for (const item of this.items) seq.push(toJS(item, String(i++), ctx));
		return seq;
	}
	toString(ctx, onComment, onChompKeep) {
		if (!ctx) return JSON.stringify(this);
		return stringifyCollection(this, ctx, {
			blockItemPrefix: "- ",
			flowChars: {
				start: "[",
				end: "]"
			},
			itemIndent: (ctx.indent || "") + "  ",
			onChompKeep,
			onComment
		});
	}
	static from(schema, obj, ctx) {
		const { replacer } = ctx;
		const seq = new this(schema);
		if (obj && Symbol.iterator in Object(obj)) {
			let i = 0;
			for (let it of obj) {
				if (typeof replacer === "function") {
					const key = obj instanceof Set ? it : String(i++);
					it = replacer.call(obj, key, it);
				}
				seq.items.push(createNode(it, void 0, ctx));
			}
		}
		return seq;
	}
};
function asItemIndex(key) {
	let idx = isScalar(key) ? key.value : key;
	if (idx && typeof idx === "string") idx = Number(idx);
	return typeof idx === "number" && Number.isInteger(idx) && idx >= 0 ? idx : null;
}
const seq = {
	collection: "seq",
	default: true,
	nodeClass: YAMLSeq,
	tag: "tag:yaml.org,2002:seq",
	resolve(seq, onError) {
		if (!isSeq(seq)) onError("Expected a sequence for this tag");
		return seq;
	},
	createNode: (schema, obj, ctx) => YAMLSeq.from(schema, obj, ctx)
};
const string = {
	identify: (value) => typeof value === "string",
	default: true,
	tag: "tag:yaml.org,2002:str",
	resolve: (str) => str,
	stringify(item, ctx, onComment, onChompKeep) {
		ctx = Object.assign({ actualString: true }, ctx);
		return stringifyString(item, ctx, onComment, onChompKeep);
	}
};
const nullTag = {
	identify: (value) => value == null,
	createNode: () => new Scalar(null),
	default: true,
	tag: "tag:yaml.org,2002:null",
	test: /^(?:~|[Nn]ull|NULL)?$/,
	resolve: () => new Scalar(null),
	stringify: ({ source }, ctx) => typeof source === "string" && nullTag.test.test(source) ? source : ctx.options.nullStr
};
const boolTag = {
	identify: (value) => typeof value === "boolean",
	default: true,
	tag: "tag:yaml.org,2002:bool",
	test: /^(?:[Tt]rue|TRUE|[Ff]alse|FALSE)$/,
	resolve: (str) => new Scalar(str[0] === "t" || str[0] === "T"),
	stringify({ source, value }, ctx) {
		if (source && boolTag.test.test(source)) {
			if (value === (source[0] === "t" || source[0] === "T")) return source;
		}
		return value ? ctx.options.trueStr : ctx.options.falseStr;
	}
};
function stringifyNumber({ format, minFractionDigits, tag, value }) {
	if (typeof value === "bigint") return String(value);
	const num = typeof value === "number" ? value : Number(value);
	if (!isFinite(num)) return isNaN(num) ? ".nan" : num < 0 ? "-.inf" : ".inf";
	let n = Object.is(value, -0) ? "-0" : JSON.stringify(value);
	if (!format && minFractionDigits && (!tag || tag === "tag:yaml.org,2002:float") && /^-?\d/.test(n) && !n.includes("e")) {
		let i = n.indexOf(".");
		if (i < 0) {
			i = n.length;
			n += ".";
		}
		let d = minFractionDigits - (n.length - i - 1);
		while (d-- > 0) n += "0";
	}
	return n;
}
const floatNaN$1 = {
	identify: (value) => typeof value === "number",
	default: true,
	tag: "tag:yaml.org,2002:float",
	test: /^(?:[-+]?\.(?:inf|Inf|INF)|\.nan|\.NaN|\.NAN)$/,
	resolve: (str) => str.slice(-3).toLowerCase() === "nan" ? NaN : str[0] === "-" ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY,
	stringify: stringifyNumber
};
const floatExp$1 = {
	identify: (value) => typeof value === "number",
	default: true,
	tag: "tag:yaml.org,2002:float",
	format: "EXP",
	test: /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)[eE][-+]?[0-9]+$/,
	resolve: (str) => parseFloat(str),
	stringify(node) {
		const num = Number(node.value);
		return isFinite(num) ? num.toExponential() : stringifyNumber(node);
	}
};
const float$1 = {
	identify: (value) => typeof value === "number",
	default: true,
	tag: "tag:yaml.org,2002:float",
	test: /^[-+]?(?:\.[0-9]+|[0-9]+\.[0-9]*)$/,
	resolve(str) {
		const node = new Scalar(parseFloat(str));
		const dot = str.indexOf(".");
		if (dot !== -1 && str[str.length - 1] === "0") node.minFractionDigits = str.length - dot - 1;
		return node;
	},
	stringify: stringifyNumber
};
const intIdentify$2 = (value) => typeof value === "bigint" || Number.isInteger(value);
const intResolve$1 = (str, offset, radix, { intAsBigInt }) => intAsBigInt ? BigInt(str) : parseInt(str.substring(offset), radix);
function intStringify$1(node, radix, prefix) {
	const { value } = node;
	if (intIdentify$2(value) && value >= 0) return prefix + value.toString(radix);
	return stringifyNumber(node);
}
const intOct$1 = {
	identify: (value) => intIdentify$2(value) && value >= 0,
	default: true,
	tag: "tag:yaml.org,2002:int",
	format: "OCT",
	test: /^0o[0-7]+$/,
	resolve: (str, _onError, opt) => intResolve$1(str, 2, 8, opt),
	stringify: (node) => intStringify$1(node, 8, "0o")
};
const int$2 = {
	identify: intIdentify$2,
	default: true,
	tag: "tag:yaml.org,2002:int",
	test: /^[-+]?[0-9]+$/,
	resolve: (str, _onError, opt) => intResolve$1(str, 0, 10, opt),
	stringify: stringifyNumber
};
const intHex$1 = {
	identify: (value) => intIdentify$2(value) && value >= 0,
	default: true,
	tag: "tag:yaml.org,2002:int",
	format: "HEX",
	test: /^0x[0-9a-fA-F]+$/,
	resolve: (str, _onError, opt) => intResolve$1(str, 2, 16, opt),
	stringify: (node) => intStringify$1(node, 16, "0x")
};
const schema$2 = [
	map,
	seq,
	string,
	nullTag,
	boolTag,
	intOct$1,
	int$2,
	intHex$1,
	floatNaN$1,
	floatExp$1,
	float$1
];
function intIdentify$1(value) {
	return typeof value === "bigint" || Number.isInteger(value);
}
const stringifyJSON = ({ value }) => JSON.stringify(value);
const jsonScalars = [
	{
		identify: (value) => typeof value === "string",
		default: true,
		tag: "tag:yaml.org,2002:str",
		resolve: (str) => str,
		stringify: stringifyJSON
	},
	{
		identify: (value) => value == null,
		createNode: () => new Scalar(null),
		default: true,
		tag: "tag:yaml.org,2002:null",
		test: /^null$/,
		resolve: () => null,
		stringify: stringifyJSON
	},
	{
		identify: (value) => typeof value === "boolean",
		default: true,
		tag: "tag:yaml.org,2002:bool",
		test: /^true$|^false$/,
		resolve: (str) => str === "true",
		stringify: stringifyJSON
	},
	{
		identify: intIdentify$1,
		default: true,
		tag: "tag:yaml.org,2002:int",
		test: /^-?(?:0|[1-9][0-9]*)$/,
		resolve: (str, _onError, { intAsBigInt }) => intAsBigInt ? BigInt(str) : parseInt(str, 10),
		stringify: ({ value }) => intIdentify$1(value) ? value.toString() : JSON.stringify(value)
	},
	{
		identify: (value) => typeof value === "number",
		default: true,
		tag: "tag:yaml.org,2002:float",
		test: /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]*)?(?:[eE][-+]?[0-9]+)?$/,
		resolve: (str) => parseFloat(str),
		stringify: stringifyJSON
	}
];
const schema$1 = [map, seq].concat(jsonScalars, {
	default: true,
	tag: "",
	test: /^/,
	resolve(str, onError) {
		onError(`Unresolved plain scalar ${JSON.stringify(str)}`);
		return str;
	}
});
const binary = {
	identify: (value) => value instanceof Uint8Array,
	default: false,
	tag: "tag:yaml.org,2002:binary",
	resolve(src, onError) {
		if (typeof atob === "function") {
			const str = atob(src.replace(/[\n\r]/g, ""));
			const buffer = new Uint8Array(str.length);
			for (let i = 0; i < str.length; ++i) buffer[i] = str.charCodeAt(i);
			return buffer;
		} else {
			onError("This environment does not support reading binary tags; either Buffer or atob is required");
			return src;
		}
	},
	stringify({ comment, type, value }, ctx, onComment, onChompKeep) {
		if (!value) return "";
		const buf = value;
		let str;
		if (typeof btoa === "function") {
			let s = "";
			for (let i = 0; i < buf.length; ++i) s += String.fromCharCode(buf[i]);
			str = btoa(s);
		} else throw new Error("This environment does not support writing binary tags; either Buffer or btoa is required");
		type ?? (type = Scalar.BLOCK_LITERAL);
		if (type !== Scalar.QUOTE_DOUBLE) {
			const lineWidth = Math.max(ctx.options.lineWidth - ctx.indent.length, ctx.options.minContentWidth);
			const n = Math.ceil(str.length / lineWidth);
			const lines = new Array(n);
			for (let i = 0, o = 0; i < n; ++i, o += lineWidth) lines[i] = str.substr(o, lineWidth);
			str = lines.join(type === Scalar.BLOCK_LITERAL ? "\n" : " ");
		}
		return stringifyString({
			comment,
			type,
			value: str
		}, ctx, onComment, onChompKeep);
	}
};
function resolvePairs(seq, onError) {
	if (isSeq(seq)) for (let i = 0; i < seq.items.length; ++i) {
		let item = seq.items[i];
		if (isPair(item)) continue;
		else if (isMap(item)) {
			if (item.items.length > 1) onError("Each pair must have its own sequence indicator");
			const pair = item.items[0] || new Pair(new Scalar(null));
			if (item.commentBefore) pair.key.commentBefore = pair.key.commentBefore ? `${item.commentBefore}\n${pair.key.commentBefore}` : item.commentBefore;
			if (item.comment) {
				const cn = pair.value ?? pair.key;
				cn.comment = cn.comment ? `${item.comment}\n${cn.comment}` : item.comment;
			}
			item = pair;
		}
		seq.items[i] = isPair(item) ? item : new Pair(item);
	}
	else onError("Expected a sequence for this tag");
	return seq;
}
function createPairs(schema, iterable, ctx) {
	const { replacer } = ctx;
	const pairs = new YAMLSeq(schema);
	pairs.tag = "tag:yaml.org,2002:pairs";
	let i = 0;
	if (iterable && Symbol.iterator in Object(iterable)) for (let it of iterable) {
		if (typeof replacer === "function") it = replacer.call(iterable, String(i++), it);
		let key, value;
		if (Array.isArray(it)) {
			if (it.length === 2) {
				key = it[0];
				value = it[1];
			} else throw new TypeError(`Expected [key, value] tuple: ${it}`);
		} else if (it && it instanceof Object) {
			const keys = Object.keys(it);
			if (keys.length === 1) {
				key = keys[0];
				value = it[key];
			} else throw new TypeError(`Expected tuple with one key, not ${keys.length} keys`);
		} else key = it;
		pairs.items.push(createPair(key, value, ctx));
	}
	return pairs;
}
const pairs = {
	collection: "seq",
	default: false,
	tag: "tag:yaml.org,2002:pairs",
	resolve: resolvePairs,
	createNode: createPairs
};
var YAMLOMap = class YAMLOMap extends YAMLSeq {
	constructor() {
		super();
		this.add = YAMLMap.prototype.add.bind(this);
		this.delete = YAMLMap.prototype.delete.bind(this);
		this.get = YAMLMap.prototype.get.bind(this);
		this.has = YAMLMap.prototype.has.bind(this);
		this.set = YAMLMap.prototype.set.bind(this);
		this.tag = YAMLOMap.tag;
	}
	toJSON(_, ctx) {
		if (!ctx) return super.toJSON(_);
		const map = new Map();
		if (ctx?.onCreate) ctx.onCreate(map);
		for (const pair of this.items) {
			let key, value;
			if (isPair(pair)) {
				key = toJS(pair.key, "", ctx);
				value = toJS(pair.value, key, ctx);
			} else key = toJS(pair, "", ctx);
			if (map.has(key)) throw new Error("Ordered maps must not include duplicate keys");
			map.set(key, value);
		}
		return map;
	}
	static from(schema, iterable, ctx) {
		const pairs = createPairs(schema, iterable, ctx);
		const omap = new this();
		omap.items = pairs.items;
		return omap;
	}
};
YAMLOMap.tag = "tag:yaml.org,2002:omap";
const omap = {
	collection: "seq",
	identify: (value) => value instanceof Map,
	nodeClass: YAMLOMap,
	default: false,
	tag: "tag:yaml.org,2002:omap",
	resolve(seq, onError) {
		const pairs = resolvePairs(seq, onError);
		const seenKeys = [];
		for (const { key } of pairs.items) if (isScalar(key)) {
			if (seenKeys.includes(key.value)) onError(`Ordered maps must not include duplicate keys: ${key.value}`);
			else seenKeys.push(key.value);
		}
		return Object.assign(new YAMLOMap(), pairs);
	},
	createNode: (schema, iterable, ctx) => YAMLOMap.from(schema, iterable, ctx)
};
function boolStringify({ value, source }, ctx) {
	if (source && (value ? trueTag : falseTag).test.test(source)) return source;
	return value ? ctx.options.trueStr : ctx.options.falseStr;
}
const trueTag = {
	identify: (value) => value === true,
	default: true,
	tag: "tag:yaml.org,2002:bool",
	test: /^(?:Y|y|[Yy]es|YES|[Tt]rue|TRUE|[Oo]n|ON)$/,
	resolve: () => new Scalar(true),
	stringify: boolStringify
};
const falseTag = {
	identify: (value) => value === false,
	default: true,
	tag: "tag:yaml.org,2002:bool",
	test: /^(?:N|n|[Nn]o|NO|[Ff]alse|FALSE|[Oo]ff|OFF)$/,
	resolve: () => new Scalar(false),
	stringify: boolStringify
};
const floatNaN = {
	identify: (value) => typeof value === "number",
	default: true,
	tag: "tag:yaml.org,2002:float",
	test: /^(?:[-+]?\.(?:inf|Inf|INF)|\.nan|\.NaN|\.NAN)$/,
	resolve: (str) => str.slice(-3).toLowerCase() === "nan" ? NaN : str[0] === "-" ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY,
	stringify: stringifyNumber
};
const floatExp = {
	identify: (value) => typeof value === "number",
	default: true,
	tag: "tag:yaml.org,2002:float",
	format: "EXP",
	test: /^[-+]?(?:[0-9][0-9_]*)?(?:\.[0-9_]*)?[eE][-+]?[0-9]+$/,
	resolve: (str) => parseFloat(str.replace(/_/g, "")),
	stringify(node) {
		const num = Number(node.value);
		return isFinite(num) ? num.toExponential() : stringifyNumber(node);
	}
};
const float = {
	identify: (value) => typeof value === "number",
	default: true,
	tag: "tag:yaml.org,2002:float",
	test: /^[-+]?(?:[0-9][0-9_]*)?\.[0-9_]*$/,
	resolve(str) {
		const node = new Scalar(parseFloat(str.replace(/_/g, "")));
		const dot = str.indexOf(".");
		if (dot !== -1) {
			const f = str.substring(dot + 1).replace(/_/g, "");
			if (f[f.length - 1] === "0") node.minFractionDigits = f.length;
		}
		return node;
	},
	stringify: stringifyNumber
};
const intIdentify = (value) => typeof value === "bigint" || Number.isInteger(value);
function intResolve(str, offset, radix, { intAsBigInt }) {
	const sign = str[0];
	if (sign === "-" || sign === "+") offset += 1;
	str = str.substring(offset).replace(/_/g, "");
	if (intAsBigInt) {
		switch (radix) {
			case 2:
				str = `0b${str}`;
				break;
			case 8:
				str = `0o${str}`;
				break;
			case 16: str = `0x${str}`;
		}
		const n = BigInt(str);
		return sign === "-" ? BigInt(-1) * n : n;
	}
	const n = parseInt(str, radix);
	return sign === "-" ? -1 * n : n;
}
function intStringify(node, radix, prefix) {
	const { value } = node;
	if (intIdentify(value)) {
		const str = value.toString(radix);
		return value < 0 ? "-" + prefix + str.substr(1) : prefix + str;
	}
	return stringifyNumber(node);
}
const intBin = {
	identify: intIdentify,
	default: true,
	tag: "tag:yaml.org,2002:int",
	format: "BIN",
	test: /^[-+]?0b[0-1_]+$/,
	resolve: (str, _onError, opt) => intResolve(str, 2, 2, opt),
	stringify: (node) => intStringify(node, 2, "0b")
};
const intOct = {
	identify: intIdentify,
	default: true,
	tag: "tag:yaml.org,2002:int",
	format: "OCT",
	test: /^[-+]?0[0-7_]+$/,
	resolve: (str, _onError, opt) => intResolve(str, 1, 8, opt),
	stringify: (node) => intStringify(node, 8, "0")
};
const int$1 = {
	identify: intIdentify,
	default: true,
	tag: "tag:yaml.org,2002:int",
	test: /^[-+]?[0-9][0-9_]*$/,
	resolve: (str, _onError, opt) => intResolve(str, 0, 10, opt),
	stringify: stringifyNumber
};
const intHex = {
	identify: intIdentify,
	default: true,
	tag: "tag:yaml.org,2002:int",
	format: "HEX",
	test: /^[-+]?0x[0-9a-fA-F_]+$/,
	resolve: (str, _onError, opt) => intResolve(str, 2, 16, opt),
	stringify: (node) => intStringify(node, 16, "0x")
};
var YAMLSet = class YAMLSet extends YAMLMap {
	constructor(schema) {
		super(schema);
		this.tag = YAMLSet.tag;
	}
	add(key) {
		let pair;
		if (isPair(key)) pair = key;
		else if (key && typeof key === "object" && "key" in key && "value" in key && key.value === null) pair = new Pair(key.key, null);
		else pair = new Pair(key, null);
		if (!findPair(this.items, pair.key)) this.items.push(pair);
	}
	get(key, keepPair) {
		const pair = findPair(this.items, key);
		return !keepPair && isPair(pair) ? isScalar(pair.key) ? pair.key.value : pair.key : pair;
	}
	set(key, value) {
		if (typeof value !== "boolean") throw new Error(`Expected boolean value for set(key, value) in a YAML set, not ${typeof value}`);
		const prev = findPair(this.items, key);
		if (prev && !value) this.items.splice(this.items.indexOf(prev), 1);
		else if (!prev && value) this.items.push(new Pair(key));
	}
	toJSON(_, ctx) {
		return super.toJSON(_, ctx, Set);
	}
	toString(ctx, onComment, onChompKeep) {
		if (!ctx) return JSON.stringify(this);
		if (this.hasAllNullValues(true)) return super.toString(Object.assign({}, ctx, { allNullValues: true }), onComment, onChompKeep);
		else throw new Error("Set items must all have null values");
	}
	static from(schema, iterable, ctx) {
		const { replacer } = ctx;
		const set = new this(schema);
		if (iterable && Symbol.iterator in Object(iterable)) for (let value of iterable) {
			if (typeof replacer === "function") value = replacer.call(iterable, value, value);
			set.items.push(createPair(value, null, ctx));
		}
		return set;
	}
};
YAMLSet.tag = "tag:yaml.org,2002:set";
const set = {
	collection: "map",
	identify: (value) => value instanceof Set,
	nodeClass: YAMLSet,
	default: false,
	tag: "tag:yaml.org,2002:set",
	createNode: (schema, iterable, ctx) => YAMLSet.from(schema, iterable, ctx),
	resolve(map, onError) {
		if (isMap(map)) {
			if (map.hasAllNullValues(true)) return Object.assign(new YAMLSet(), map);
			else onError("Set items must all have null values");
		} else onError("Expected a mapping for this tag");
		return map;
	}
};
function parseSexagesimal(str, asBigInt) {
	const sign = str[0];
	const parts = sign === "-" || sign === "+" ? str.substring(1) : str;
	const num = (n) => asBigInt ? BigInt(n) : Number(n);
	const res = parts.replace(/_/g, "").split(":").reduce((res, p) => res * num(60) + num(p), num(0));
	return sign === "-" ? num(-1) * res : res;
}
function stringifySexagesimal(node) {
	let { value } = node;
	let num = (n) => n;
	if (typeof value === "bigint") num = (n) => BigInt(n);
	else if (isNaN(value) || !isFinite(value)) return stringifyNumber(node);
	let sign = "";
	if (value < 0) {
		sign = "-";
		value *= num(-1);
	}
	const _60 = num(60);
	const parts = [value % _60];
	if (value < 60) parts.unshift(0);
	else {
		value = (value - parts[0]) / _60;
		parts.unshift(value % _60);
		if (value >= 60) {
			value = (value - parts[0]) / _60;
			parts.unshift(value);
		}
	}
	return sign + parts.map((n) => String(n).padStart(2, "0")).join(":").replace(/000000\d*$/, "");
}
const intTime = {
	identify: (value) => typeof value === "bigint" || Number.isInteger(value),
	default: true,
	tag: "tag:yaml.org,2002:int",
	format: "TIME",
	test: /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+$/,
	resolve: (str, _onError, { intAsBigInt }) => parseSexagesimal(str, intAsBigInt),
	stringify: stringifySexagesimal
};
const floatTime = {
	identify: (value) => typeof value === "number",
	default: true,
	tag: "tag:yaml.org,2002:float",
	format: "TIME",
	test: /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*$/,
	resolve: (str) => parseSexagesimal(str, false),
	stringify: stringifySexagesimal
};
const timestamp = {
	identify: (value) => value instanceof Date,
	default: true,
	tag: "tag:yaml.org,2002:timestamp",
	test: RegExp("^([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})(?:(?:t|T|[ \\t]+)([0-9]{1,2}):([0-9]{1,2}):([0-9]{1,2}(\\.[0-9]+)?)(?:[ \\t]*(Z|[-+][012]?[0-9](?::[0-9]{2})?))?)?$"),
	resolve(str) {
		const match = str.match(timestamp.test);
		if (!match) throw new Error("!!timestamp expects a date, starting with yyyy-mm-dd");
		const [, year, month, day, hour, minute, second] = match.map(Number);
		const millisec = match[7] ? Number((match[7] + "00").substr(1, 3)) : 0;
		let date = Date.UTC(year, month - 1, day, hour || 0, minute || 0, second || 0, millisec);
		const tz = match[8];
		if (tz && tz !== "Z") {
			let d = parseSexagesimal(tz, false);
			if (Math.abs(d) < 30) d *= 60;
			date -= 6e4 * d;
		}
		return new Date(date);
	},
	stringify: ({ value }) => value?.toISOString().replace(/(T00:00:00)?\.000Z$/, "") ?? ""
};
const schema = [
	map,
	seq,
	string,
	nullTag,
	trueTag,
	falseTag,
	intBin,
	intOct,
	int$1,
	intHex,
	floatNaN,
	floatExp,
	float,
	binary,
	merge,
	omap,
	pairs,
	set,
	intTime,
	floatTime,
	timestamp
];
const schemas = new Map([
	["core", schema$2],
	["failsafe", [
		map,
		seq,
		string
	]],
	["json", schema$1],
	["yaml11", schema],
	["yaml-1.1", schema]
]);
const tagsByName = {
	binary,
	bool: boolTag,
	float: float$1,
	floatExp: floatExp$1,
	floatNaN: floatNaN$1,
	floatTime,
	int: int$2,
	intHex: intHex$1,
	intOct: intOct$1,
	intTime,
	map,
	merge,
	null: nullTag,
	omap,
	pairs,
	seq,
	set,
	timestamp
};
const coreKnownTags = {
	"tag:yaml.org,2002:binary": binary,
	"tag:yaml.org,2002:merge": merge,
	"tag:yaml.org,2002:omap": omap,
	"tag:yaml.org,2002:pairs": pairs,
	"tag:yaml.org,2002:set": set,
	"tag:yaml.org,2002:timestamp": timestamp
};
function getTags(customTags, schemaName, addMergeTag) {
	const schemaTags = schemas.get(schemaName);
	if (schemaTags && !customTags) return addMergeTag && !schemaTags.includes(merge) ? schemaTags.concat(merge) : schemaTags.slice();
	let tags = schemaTags;
	if (!tags) {
		if (Array.isArray(customTags)) tags = [];
		else {
			const keys = Array.from(schemas.keys()).filter((key) => key !== "yaml11").map((key) => JSON.stringify(key)).join(", ");
			throw new Error(`Unknown schema "${schemaName}"; use one of ${keys} or define customTags array`);
		}
	}
	if (Array.isArray(customTags)) for (const tag of customTags) tags = tags.concat(tag);
	else if (typeof customTags === "function") tags = customTags(tags.slice());
	if (addMergeTag) tags = tags.concat(merge);
	return tags.reduce((tags, tag) => {
		const tagObj = typeof tag === "string" ? tagsByName[tag] : tag;
		if (!tagObj) {
			const tagName = JSON.stringify(tag);
			const keys = Object.keys(tagsByName).map((key) => JSON.stringify(key)).join(", ");
			throw new Error(`Unknown custom tag ${tagName}; use one of ${keys}`);
		}
		if (!tags.includes(tagObj)) tags.push(tagObj);
		return tags;
	}, []);
}
const sortMapEntriesByKey = (a, b) => a.key < b.key ? -1 : a.key > b.key ? 1 : 0;
var Schema = class Schema {
	constructor({ compat, customTags, merge, resolveKnownTags, schema, sortMapEntries, toStringDefaults }) {
		this.compat = Array.isArray(compat) ? getTags(compat, "compat") : compat ? getTags(null, compat) : null;
		this.name = typeof schema === "string" && schema || "core";
		this.knownTags = resolveKnownTags ? coreKnownTags : {};
		this.tags = getTags(customTags, this.name, merge);
		this.toStringOptions = toStringDefaults ?? null;
		Object.defineProperty(this, MAP, { value: map });
		Object.defineProperty(this, SCALAR$1, { value: string });
		Object.defineProperty(this, SEQ, { value: seq });
		this.sortMapEntries = typeof sortMapEntries === "function" ? sortMapEntries : sortMapEntries === true ? sortMapEntriesByKey : null;
	}
	clone() {
		const copy = Object.create(Schema.prototype, Object.getOwnPropertyDescriptors(this));
		copy.tags = this.tags.slice();
		return copy;
	}
};
function stringifyDocument(doc, options) {
	const lines = [];
	let hasDirectives = options.directives === true;
	if (options.directives !== false && doc.directives) {
		const dir = doc.directives.toString(doc);
		if (dir) {
			lines.push(dir);
			hasDirectives = true;
		} else if (doc.directives.docStart) hasDirectives = true;
	}
	if (hasDirectives) lines.push("---");
	const ctx = createStringifyContext(doc, options);
	const { commentString } = ctx.options;
	if (doc.commentBefore) {
		if (lines.length !== 1) lines.unshift("");
		const cs = commentString(doc.commentBefore);
		lines.unshift(indentComment(cs, ""));
	}
	let chompKeep = false;
	let contentComment = null;
	if (doc.contents) {
		if (isNode(doc.contents)) {
			if (doc.contents.spaceBefore && hasDirectives) lines.push("");
			if (doc.contents.commentBefore) {
				const cs = commentString(doc.contents.commentBefore);
				lines.push(indentComment(cs, ""));
			}
			ctx.forceBlockIndent = !!doc.comment;
			contentComment = doc.contents.comment;
		}
		const onChompKeep = contentComment ? void 0 : () => chompKeep = true;
		let body = stringify$1(doc.contents, ctx, () => contentComment = null, onChompKeep);
		if (contentComment) body += lineComment(body, "", commentString(contentComment));
		if ((body[0] === "|" || body[0] === ">") && lines[lines.length - 1] === "---") lines[lines.length - 1] = `--- ${body}`;
		else lines.push(body);
	} else lines.push(stringify$1(doc.contents, ctx));
	if (doc.directives?.docEnd) {
		if (doc.comment) {
			const cs = commentString(doc.comment);
			if (cs.includes("\n")) {
				lines.push("...");
				lines.push(indentComment(cs, ""));
			} else lines.push(`... ${cs}`);
		} else lines.push("...");
	} else {
		let dc = doc.comment;
		if (dc && chompKeep) dc = dc.replace(/^\n+/, "");
		if (dc) {
			if ((!chompKeep || contentComment) && lines[lines.length - 1] !== "") lines.push("");
			lines.push(indentComment(commentString(dc), ""));
		}
	}
	return lines.join("\n") + "\n";
}
var Document = class Document {
	constructor(value, replacer, options) {
		this.commentBefore = null;
		this.comment = null;
		this.errors = [];
		this.warnings = [];
		Object.defineProperty(this, NODE_TYPE, { value: DOC });
		let _replacer = null;
		if (typeof replacer === "function" || Array.isArray(replacer)) _replacer = replacer;
		else if (options === void 0 && replacer) {
			options = replacer;
			replacer = void 0;
		}
		const opt = Object.assign({
			intAsBigInt: false,
			keepSourceTokens: false,
			logLevel: "warn",
			prettyErrors: true,
			strict: true,
			stringKeys: false,
			uniqueKeys: true,
			version: "1.2"
		}, options);
		this.options = opt;
		let { version } = opt;
		if (options?._directives) {
			this.directives = options._directives.atDocument();
			if (this.directives.yaml.explicit) version = this.directives.yaml.version;
		} else this.directives = new Directives({ version });
		this.setSchema(version, options);
		this.contents = value === void 0 ? null : this.createNode(value, _replacer, options);
	}
	clone() {
		const copy = Object.create(Document.prototype, { [NODE_TYPE]: { value: DOC } });
		copy.commentBefore = this.commentBefore;
		copy.comment = this.comment;
		copy.errors = this.errors.slice();
		copy.warnings = this.warnings.slice();
		copy.options = Object.assign({}, this.options);
		if (this.directives) copy.directives = this.directives.clone();
		copy.schema = this.schema.clone();
		copy.contents = isNode(this.contents) ? this.contents.clone(copy.schema) : this.contents;
		if (this.range) copy.range = this.range.slice();
		return copy;
	}
	add(value) {
		if (assertCollection(this.contents)) this.contents.add(value);
	}
	addIn(path, value) {
		if (assertCollection(this.contents)) this.contents.addIn(path, value);
	}
	createAlias(node, name) {
		if (!node.anchor) {
			const prev = anchorNames(this);
			node.anchor = !name || prev.has(name) ? findNewAnchor(name || "a", prev) : name;
		}
		return new Alias(node.anchor);
	}
	createNode(value, replacer, options) {
		let _replacer = void 0;
		if (typeof replacer === "function") {
			value = replacer.call({ "": value }, "", value);
			_replacer = replacer;
		} else if (Array.isArray(replacer)) {
			const keyToStr = (v) => typeof v === "number" || v instanceof String || v instanceof Number;
			const asStr = replacer.filter(keyToStr).map(String);
			if (asStr.length > 0) replacer = replacer.concat(asStr);
			_replacer = replacer;
		} else if (options === void 0 && replacer) {
			options = replacer;
			replacer = void 0;
		}
		const { aliasDuplicateObjects, anchorPrefix, flow, keepUndefined, onTagObj, tag } = options ?? {};
		const { onAnchor, setAnchors, sourceObjects } = createNodeAnchors(this, anchorPrefix || "a");
		const ctx = {
			aliasDuplicateObjects: aliasDuplicateObjects ?? true,
			keepUndefined: keepUndefined ?? false,
			onAnchor,
			onTagObj,
			replacer: _replacer,
			schema: this.schema,
			sourceObjects
		};
		const node = createNode(value, tag, ctx);
		if (flow && isCollection(node)) node.flow = true;
		setAnchors();
		return node;
	}
	createPair(key, value, options = {}) {
		return new Pair(this.createNode(key, null, options), this.createNode(value, null, options));
	}
	delete(key) {
		return assertCollection(this.contents) ? this.contents.delete(key) : false;
	}
	deleteIn(path) {
		if (isEmptyPath(path)) {
			if (this.contents == null) return false;
			this.contents = null;
			return true;
		}
		return assertCollection(this.contents) ? this.contents.deleteIn(path) : false;
	}
	get(key, keepScalar) {
		return isCollection(this.contents) ? this.contents.get(key, keepScalar) : void 0;
	}
	getIn(path, keepScalar) {
		if (isEmptyPath(path)) return !keepScalar && isScalar(this.contents) ? this.contents.value : this.contents;
		return isCollection(this.contents) ? this.contents.getIn(path, keepScalar) : void 0;
	}
	has(key) {
		return isCollection(this.contents) ? this.contents.has(key) : false;
	}
	hasIn(path) {
		if (isEmptyPath(path)) return this.contents !== void 0;
		return isCollection(this.contents) ? this.contents.hasIn(path) : false;
	}
	set(key, value) {
		if (this.contents == null) this.contents = collectionFromPath(this.schema, [key], value);
		else if (assertCollection(this.contents)) this.contents.set(key, value);
	}
	setIn(path, value) {
		if (isEmptyPath(path)) this.contents = value;
		else if (this.contents == null) this.contents = collectionFromPath(this.schema, Array.from(path), value);
		else if (assertCollection(this.contents)) this.contents.setIn(path, value);
	}
	setSchema(version, options = {}) {
		if (typeof version === "number") version = String(version);
		let opt;
		switch (version) {
			case "1.1":
				if (this.directives) this.directives.yaml.version = "1.1";
				else this.directives = new Directives({ version: "1.1" });
				opt = {
					resolveKnownTags: false,
					schema: "yaml-1.1"
				};
				break;
			case "1.2":
			case "next":
				if (this.directives) this.directives.yaml.version = version;
				else this.directives = new Directives({ version });
				opt = {
					resolveKnownTags: true,
					schema: "core"
				};
				break;
			case null:
				if (this.directives) delete this.directives;
				opt = null;
				break;
			default: {
				const sv = JSON.stringify(version);
				throw new Error(`Expected '1.1', '1.2' or null as first argument, but found: ${sv}`);
			}
		}
		if (options.schema instanceof Object) this.schema = options.schema;
		else if (opt) this.schema = new Schema(Object.assign(opt, options));
		else throw new Error(`With a null YAML version, the { schema: Schema } option is required`);
	}
	toJS({ json, jsonArg, mapAsMap, maxAliasCount, onAnchor, reviver } = {}) {
		const ctx = {
			anchors: new Map(),
			doc: this,
			keep: !json,
			mapAsMap: mapAsMap === true,
			mapKeyWarned: false,
			maxAliasCount: typeof maxAliasCount === "number" ? maxAliasCount : 100
		};
		const res = toJS(this.contents, jsonArg ?? "", ctx);
		if (typeof onAnchor === "function") for (const { count, res } of ctx.anchors.values()) onAnchor(res, count);
		return typeof reviver === "function" ? applyReviver(reviver, { "": res }, "", res) : res;
	}
	toJSON(jsonArg, onAnchor) {
		return this.toJS({
			json: true,
			jsonArg,
			mapAsMap: false,
			onAnchor
		});
	}
	toString(options = {}) {
		if (this.errors.length > 0) throw new Error("Document with errors cannot be stringified");
		if ("indent" in options && (!Number.isInteger(options.indent) || Number(options.indent) <= 0)) {
			const s = JSON.stringify(options.indent);
			throw new Error(`"indent" option must be a positive integer, not ${s}`);
		}
		return stringifyDocument(this, options);
	}
};
function assertCollection(contents) {
	if (isCollection(contents)) return true;
	throw new Error("Expected a YAML collection as document contents");
}
var YAMLError = class extends Error {
	constructor(name, pos, code, message) {
		super();
		this.name = name;
		this.code = code;
		this.message = message;
		this.pos = pos;
	}
};
var YAMLParseError = class extends YAMLError {
	constructor(pos, code, message) {
		super("YAMLParseError", pos, code, message);
	}
};
var YAMLWarning = class extends YAMLError {
	constructor(pos, code, message) {
		super("YAMLWarning", pos, code, message);
	}
};
function resolveProps(tokens, { flow, indicator, next, offset, onError, parentIndent, startOnNewline }) {
	let spaceBefore = false;
	let atNewline = startOnNewline;
	let hasSpace = startOnNewline;
	let comment = "";
	let commentSep = "";
	let hasNewline = false;
	let reqSpace = false;
	let tab = null;
	let anchor = null;
	let tag = null;
	let newlineAfterProp = null;
	let comma = null;
	let found = null;
	let start = null;
	for (const token of tokens) {
		if (reqSpace) {
			if (token.type !== "space" && token.type !== "newline" && token.type !== "comma") onError(token.offset, "MISSING_CHAR", "Tags and anchors must be separated from the next token by white space");
			reqSpace = false;
		}
		if (tab) {
			if (atNewline && token.type !== "comment" && token.type !== "newline") onError(tab, "TAB_AS_INDENT", "Tabs are not allowed as indentation");
			tab = null;
		}
		switch (token.type) {
			case "space":
				if (!flow && (indicator !== "doc-start" || next?.type !== "flow-collection") && token.source.includes("	")) tab = token;
				hasSpace = true;
				break;
			case "comment": {
				if (!hasSpace) onError(token, "MISSING_CHAR", "Comments must be separated from other tokens by white space characters");
				const cb = token.source.substring(1) || " ";
				if (!comment) comment = cb;
				else comment += commentSep + cb;
				commentSep = "";
				atNewline = false;
				break;
			}
			case "newline":
				if (atNewline) {
					if (comment) comment += token.source;
					else if (!found || indicator !== "seq-item-ind") spaceBefore = true;
				} else commentSep += token.source;
				atNewline = true;
				hasNewline = true;
				if (anchor || tag) newlineAfterProp = token;
				hasSpace = true;
				break;
			case "anchor":
				if (anchor) onError(token, "MULTIPLE_ANCHORS", "A node can have at most one anchor");
				if (token.source.endsWith(":")) onError(token.offset + token.source.length - 1, "BAD_ALIAS", "Anchor ending in : is ambiguous", true);
				anchor = token;
				start ?? (start = token.offset);
				atNewline = false;
				hasSpace = false;
				reqSpace = true;
				break;
			case "tag":
				if (tag) onError(token, "MULTIPLE_TAGS", "A node can have at most one tag");
				tag = token;
				start ?? (start = token.offset);
				atNewline = false;
				hasSpace = false;
				reqSpace = true;
				break;
			case indicator:
				if (anchor || tag) onError(token, "BAD_PROP_ORDER", `Anchors and tags must be after the ${token.source} indicator`);
				if (found) onError(token, "UNEXPECTED_TOKEN", `Unexpected ${token.source} in ${flow ?? "collection"}`);
				found = token;
				atNewline = indicator === "seq-item-ind" || indicator === "explicit-key-ind";
				hasSpace = false;
				break;
			case "comma": if (flow) {
				if (comma) onError(token, "UNEXPECTED_TOKEN", `Unexpected , in ${flow}`);
				comma = token;
				atNewline = false;
				hasSpace = false;
				break;
			}
			default:
				onError(token, "UNEXPECTED_TOKEN", `Unexpected ${token.type} token`);
				atNewline = false;
				hasSpace = false;
		}
	}
	const last = tokens[tokens.length - 1];
	const end = last ? last.offset + last.source.length : offset;
	if (reqSpace && next && next.type !== "space" && next.type !== "newline" && next.type !== "comma" && (next.type !== "scalar" || next.source !== "")) onError(next.offset, "MISSING_CHAR", "Tags and anchors must be separated from the next token by white space");
	if (tab && (atNewline && tab.indent <= parentIndent || next?.type === "block-map" || next?.type === "block-seq")) onError(tab, "TAB_AS_INDENT", "Tabs are not allowed as indentation");
	return {
		comma,
		found,
		spaceBefore,
		comment,
		hasNewline,
		anchor,
		tag,
		newlineAfterProp,
		end,
		start: start ?? end
	};
}
function containsNewline(key) {
	if (!key) return null;
	switch (key.type) {
		case "alias":
		case "scalar":
		case "double-quoted-scalar":
		case "single-quoted-scalar":
			if (key.source.includes("\n")) return true;
			if (key.end) {
				for (const st of key.end) if (st.type === "newline") return true;
			}
			return false;
		case "flow-collection":
			for (const it of key.items) {
				for (const st of it.start) if (st.type === "newline") return true;
				if (it.sep) {
					for (const st of it.sep) if (st.type === "newline") return true;
				}
				if (containsNewline(it.key) || containsNewline(it.value)) return true;
			}
			return false;
		default: return true;
	}
}
function flowIndentCheck(indent, fc, onError) {
	if (fc?.type === "flow-collection") {
		const end = fc.end[0];
		if (end.indent === indent && (end.source === "]" || end.source === "}") && containsNewline(fc)) onError(end, "BAD_INDENT", "Flow end indicator should be more indented than parent", true);
	}
}
function mapIncludes(ctx, items, search) {
	const { uniqueKeys } = ctx.options;
	if (uniqueKeys === false) return false;
	const isEqual = typeof uniqueKeys === "function" ? uniqueKeys : (a, b) => a === b || isScalar(a) && isScalar(b) && a.value === b.value;
	return items.some((pair) => isEqual(pair.key, search));
}
const startColMsg = "All mapping items must start at the same column";
function resolveBlockMap({ composeNode, composeEmptyNode }, ctx, bm, onError, tag) {
	const map = new ((tag?.nodeClass) ?? YAMLMap)(ctx.schema);
	if (ctx.atRoot) ctx.atRoot = false;
	let offset = bm.offset;
	let commentEnd = null;
	for (const collItem of bm.items) {
		const { start, key, sep, value } = collItem;
		const keyProps = resolveProps(start, {
			indicator: "explicit-key-ind",
			next: key ?? sep?.[0],
			offset,
			onError,
			parentIndent: bm.indent,
			startOnNewline: true
		});
		const implicitKey = !keyProps.found;
		if (implicitKey) {
			if (key) {
				if (key.type === "block-seq") onError(offset, "BLOCK_AS_IMPLICIT_KEY", "A block sequence may not be used as an implicit map key");
				else if ("indent" in key && key.indent !== bm.indent) onError(offset, "BAD_INDENT", startColMsg);
			}
			if (!keyProps.anchor && !keyProps.tag && !sep) {
				commentEnd = keyProps.end;
				if (keyProps.comment) {
					if (map.comment) map.comment += "\n" + keyProps.comment;
					else map.comment = keyProps.comment;
				}
				continue;
			}
			if (keyProps.newlineAfterProp || containsNewline(key)) onError(key ?? start[start.length - 1], "MULTILINE_IMPLICIT_KEY", "Implicit keys need to be on a single line");
		} else if (keyProps.found?.indent !== bm.indent) onError(offset, "BAD_INDENT", startColMsg);
		ctx.atKey = true;
		const keyStart = keyProps.end;
		const keyNode = key ? composeNode(ctx, key, keyProps, onError) : composeEmptyNode(ctx, keyStart, start, null, keyProps, onError);
		if (ctx.schema.compat) flowIndentCheck(bm.indent, key, onError);
		ctx.atKey = false;
		if (mapIncludes(ctx, map.items, keyNode)) onError(keyStart, "DUPLICATE_KEY", "Map keys must be unique");
		const valueProps = resolveProps(sep ?? [], {
			indicator: "map-value-ind",
			next: value,
			offset: keyNode.range[2],
			onError,
			parentIndent: bm.indent,
			startOnNewline: !key || key.type === "block-scalar"
		});
		offset = valueProps.end;
		if (valueProps.found) {
			if (implicitKey) {
				if (value?.type === "block-map" && !valueProps.hasNewline) onError(offset, "BLOCK_AS_IMPLICIT_KEY", "Nested mappings are not allowed in compact mappings");
				if (ctx.options.strict && keyProps.start < valueProps.found.offset - 1024) onError(keyNode.range, "KEY_OVER_1024_CHARS", "The : indicator must be at most 1024 chars after the start of an implicit block mapping key");
			}
			const valueNode = value ? composeNode(ctx, value, valueProps, onError) : composeEmptyNode(ctx, offset, sep, null, valueProps, onError);
			if (ctx.schema.compat) flowIndentCheck(bm.indent, value, onError);
			offset = valueNode.range[2];
			const pair = new Pair(keyNode, valueNode);
			if (ctx.options.keepSourceTokens) pair.srcToken = collItem;
			map.items.push(pair);
		} else {
			if (implicitKey) onError(keyNode.range, "MISSING_CHAR", "Implicit map keys need to be followed by map values");
			if (valueProps.comment) {
				if (keyNode.comment) keyNode.comment += "\n" + valueProps.comment;
				else keyNode.comment = valueProps.comment;
			}
			const pair = new Pair(keyNode);
			if (ctx.options.keepSourceTokens) pair.srcToken = collItem;
			map.items.push(pair);
		}
	}
	if (commentEnd && commentEnd < offset) onError(commentEnd, "IMPOSSIBLE", "Map comment with trailing content");
	map.range = [
		bm.offset,
		offset,
		commentEnd ?? offset
	];
	return map;
}
function resolveBlockSeq({ composeNode, composeEmptyNode }, ctx, bs, onError, tag) {
	const seq = new ((tag?.nodeClass) ?? YAMLSeq)(ctx.schema);
	if (ctx.atRoot) ctx.atRoot = false;
	if (ctx.atKey) ctx.atKey = false;
	let offset = bs.offset;
	let commentEnd = null;
	for (const { start, value } of bs.items) {
		const props = resolveProps(start, {
			indicator: "seq-item-ind",
			next: value,
			offset,
			onError,
			parentIndent: bs.indent,
			startOnNewline: true
		});
		if (!props.found) {
			if (props.anchor || props.tag || value) {
				if (value?.type === "block-seq") onError(props.end, "BAD_INDENT", "All sequence items must start at the same column");
				else onError(offset, "MISSING_CHAR", "Sequence item without - indicator");
			} else {
				commentEnd = props.end;
				if (props.comment) seq.comment = props.comment;
				continue;
			}
		}
		const node = value ? composeNode(ctx, value, props, onError) : composeEmptyNode(ctx, props.end, start, null, props, onError);
		if (ctx.schema.compat) flowIndentCheck(bs.indent, value, onError);
		offset = node.range[2];
		seq.items.push(node);
	}
	seq.range = [
		bs.offset,
		offset,
		commentEnd ?? offset
	];
	return seq;
}
function resolveEnd(end, offset, reqSpace, onError) {
	let comment = "";
	if (end) {
		let hasSpace = false;
		let sep = "";
		for (const token of end) {
			const { source, type } = token;
			switch (type) {
				case "space":
					hasSpace = true;
					break;
				case "comment": {
					if (reqSpace && !hasSpace) onError(token, "MISSING_CHAR", "Comments must be separated from other tokens by white space characters");
					const cb = source.substring(1) || " ";
					if (!comment) comment = cb;
					else comment += sep + cb;
					sep = "";
					break;
				}
				case "newline":
					if (comment) sep += source;
					hasSpace = true;
					break;
				default: onError(token, "UNEXPECTED_TOKEN", `Unexpected ${type} at node end`);
			}
			offset += source.length;
		}
	}
	return {
		comment,
		offset
	};
}
const blockMsg = "Block collections are not allowed within flow collections";
const isBlock = (token) => token && (token.type === "block-map" || token.type === "block-seq");
function resolveFlowCollection({ composeNode, composeEmptyNode }, ctx, fc, onError, tag) {
	const isMap = fc.start.source === "{";
	const fcName = isMap ? "flow map" : "flow sequence";
	const coll = new ((tag?.nodeClass) ?? (isMap ? YAMLMap : YAMLSeq))(ctx.schema);
	coll.flow = true;
	const atRoot = ctx.atRoot;
	if (atRoot) ctx.atRoot = false;
	if (ctx.atKey) ctx.atKey = false;
	let offset = fc.offset + fc.start.source.length;
	for (let i = 0; i < fc.items.length; ++i) {
		const collItem = fc.items[i];
		const { start, key, sep, value } = collItem;
		const props = resolveProps(start, {
			flow: fcName,
			indicator: "explicit-key-ind",
			next: key ?? sep?.[0],
			offset,
			onError,
			parentIndent: fc.indent,
			startOnNewline: false
		});
		if (!props.found) {
			if (!props.anchor && !props.tag && !sep && !value) {
				if (i === 0 && props.comma) onError(props.comma, "UNEXPECTED_TOKEN", `Unexpected , in ${fcName}`);
				else if (i < fc.items.length - 1) onError(props.start, "UNEXPECTED_TOKEN", `Unexpected empty item in ${fcName}`);
				if (props.comment) {
					if (coll.comment) coll.comment += "\n" + props.comment;
					else coll.comment = props.comment;
				}
				offset = props.end;
				continue;
			}
			if (!isMap && ctx.options.strict && containsNewline(key)) onError(key, "MULTILINE_IMPLICIT_KEY", "Implicit keys of flow sequence pairs need to be on a single line");
		}
		if (i === 0) {
			if (props.comma) onError(props.comma, "UNEXPECTED_TOKEN", `Unexpected , in ${fcName}`);
		} else {
			if (!props.comma) onError(props.start, "MISSING_CHAR", `Missing , between ${fcName} items`);
			if (props.comment) {
				let prevItemComment = "";
				loop: for (const st of start) switch (st.type) {
					case "comma":
					case "space": break;
					case "comment":
						prevItemComment = st.source.substring(1);
						break loop;
					default: break loop;
				}
				if (prevItemComment) {
					let prev = coll.items[coll.items.length - 1];
					if (isPair(prev)) prev = prev.value ?? prev.key;
					if (prev.comment) prev.comment += "\n" + prevItemComment;
					else prev.comment = prevItemComment;
					props.comment = props.comment.substring(prevItemComment.length + 1);
				}
			}
		}
		if (!isMap && !sep && !props.found) {
			const valueNode = value ? composeNode(ctx, value, props, onError) : composeEmptyNode(ctx, props.end, sep, null, props, onError);
			coll.items.push(valueNode);
			offset = valueNode.range[2];
			if (isBlock(value)) onError(valueNode.range, "BLOCK_IN_FLOW", blockMsg);
		} else {
			ctx.atKey = true;
			const keyStart = props.end;
			const keyNode = key ? composeNode(ctx, key, props, onError) : composeEmptyNode(ctx, keyStart, start, null, props, onError);
			if (isBlock(key)) onError(keyNode.range, "BLOCK_IN_FLOW", blockMsg);
			ctx.atKey = false;
			const valueProps = resolveProps(sep ?? [], {
				flow: fcName,
				indicator: "map-value-ind",
				next: value,
				offset: keyNode.range[2],
				onError,
				parentIndent: fc.indent,
				startOnNewline: false
			});
			if (valueProps.found) {
				if (!isMap && !props.found && ctx.options.strict) {
					if (sep) for (const st of sep) {
						if (st === valueProps.found) break;
						if (st.type === "newline") {
							onError(st, "MULTILINE_IMPLICIT_KEY", "Implicit keys of flow sequence pairs need to be on a single line");
							break;
						}
					}
					if (props.start < valueProps.found.offset - 1024) onError(valueProps.found, "KEY_OVER_1024_CHARS", "The : indicator must be at most 1024 chars after the start of an implicit flow sequence key");
				}
			} else if (value) {
				if ("source" in value && value.source?.[0] === ":") onError(value, "MISSING_CHAR", `Missing space after : in ${fcName}`);
				else onError(valueProps.start, "MISSING_CHAR", `Missing , or : between ${fcName} items`);
			}
			const valueNode = value ? composeNode(ctx, value, valueProps, onError) : valueProps.found ? composeEmptyNode(ctx, valueProps.end, sep, null, valueProps, onError) : null;
			if (valueNode) {
				if (isBlock(value)) onError(valueNode.range, "BLOCK_IN_FLOW", blockMsg);
			} else if (valueProps.comment) {
				if (keyNode.comment) keyNode.comment += "\n" + valueProps.comment;
				else keyNode.comment = valueProps.comment;
			}
			const pair = new Pair(keyNode, valueNode);
			if (ctx.options.keepSourceTokens) pair.srcToken = collItem;
			if (isMap) {
				const map = coll;
				if (mapIncludes(ctx, map.items, keyNode)) onError(keyStart, "DUPLICATE_KEY", "Map keys must be unique");
				map.items.push(pair);
			} else {
				const map = new YAMLMap(ctx.schema);
				map.flow = true;
				map.items.push(pair);
				const endRange = (valueNode ?? keyNode).range;
				map.range = [
					keyNode.range[0],
					endRange[1],
					endRange[2]
				];
				coll.items.push(map);
			}
			offset = valueNode ? valueNode.range[2] : valueProps.end;
		}
	}
	const expectedEnd = isMap ? "}" : "]";
	const [ce, ...ee] = fc.end;
	let cePos = offset;
	if (ce?.source === expectedEnd) cePos = ce.offset + ce.source.length;
	else {
		const name = fcName[0].toUpperCase() + fcName.substring(1);
		const msg = atRoot ? `${name} must end with a ${expectedEnd}` : `${name} in block collection must be sufficiently indented and end with a ${expectedEnd}`;
		onError(offset, atRoot ? "MISSING_CHAR" : "BAD_INDENT", msg);
		if (ce && ce.source.length !== 1) ee.unshift(ce);
	}
	if (ee.length > 0) {
		const end = resolveEnd(ee, cePos, ctx.options.strict, onError);
		if (end.comment) {
			if (coll.comment) coll.comment += "\n" + end.comment;
			else coll.comment = end.comment;
		}
		coll.range = [
			fc.offset,
			cePos,
			end.offset
		];
	} else coll.range = [
		fc.offset,
		cePos,
		cePos
	];
	return coll;
}
function resolveCollection(CN, ctx, token, onError, tagName, tag) {
	const coll = token.type === "block-map" ? resolveBlockMap(CN, ctx, token, onError, tag) : token.type === "block-seq" ? resolveBlockSeq(CN, ctx, token, onError, tag) : resolveFlowCollection(CN, ctx, token, onError, tag);
	const Coll = coll.constructor;
	if (tagName === "!" || tagName === Coll.tagName) {
		coll.tag = Coll.tagName;
		return coll;
	}
	if (tagName) coll.tag = tagName;
	return coll;
}
function composeCollection(CN, ctx, token, props, onError) {
	const tagToken = props.tag;
	const tagName = !tagToken ? null : ctx.directives.tagName(tagToken.source, (msg) => onError(tagToken, "TAG_RESOLVE_FAILED", msg));
	if (token.type === "block-seq") {
		const { anchor, newlineAfterProp: nl } = props;
		const lastProp = anchor && tagToken ? anchor.offset > tagToken.offset ? anchor : tagToken : anchor ?? tagToken;
		if (lastProp && (!nl || nl.offset < lastProp.offset)) onError(lastProp, "MISSING_CHAR", "Missing newline after block sequence props");
	}
	const expType = token.type === "block-map" ? "map" : token.type === "block-seq" ? "seq" : token.start.source === "{" ? "map" : "seq";
	if (!tagToken || !tagName || tagName === "!" || tagName === YAMLMap.tagName && expType === "map" || tagName === YAMLSeq.tagName && expType === "seq") return resolveCollection(CN, ctx, token, onError, tagName);
	let tag = ctx.schema.tags.find((t) => t.tag === tagName && t.collection === expType);
	if (!tag) {
		const kt = ctx.schema.knownTags[tagName];
		if (kt?.collection === expType) {
			ctx.schema.tags.push(Object.assign({}, kt, { default: false }));
			tag = kt;
		} else {
			if (kt) onError(tagToken, "BAD_COLLECTION_TYPE", `${kt.tag} used for ${expType} collection, but expects ${kt.collection ?? "scalar"}`, true);
			else onError(tagToken, "TAG_RESOLVE_FAILED", `Unresolved tag: ${tagName}`, true);
			return resolveCollection(CN, ctx, token, onError, tagName);
		}
	}
	const coll = resolveCollection(CN, ctx, token, onError, tagName, tag);
	const res = tag.resolve?.(coll, (msg) => onError(tagToken, "TAG_RESOLVE_FAILED", msg), ctx.options) ?? coll;
	const node = isNode(res) ? res : new Scalar(res);
	node.range = coll.range;
	node.tag = tagName;
	if (tag?.format) node.format = tag.format;
	return node;
}
function resolveBlockScalar(ctx, scalar, onError) {
	const start = scalar.offset;
	const header = parseBlockScalarHeader(scalar, ctx.options.strict, onError);
	if (!header) return {
		value: "",
		type: null,
		comment: "",
		range: [
			start,
			start,
			start
		]
	};
	const type = header.mode === ">" ? Scalar.BLOCK_FOLDED : Scalar.BLOCK_LITERAL;
	const lines = scalar.source ? splitLines(scalar.source) : [];
	let chompStart = lines.length;
	for (let i = lines.length - 1; i >= 0; --i) {
		const content = lines[i][1];
		if (content === "" || content === "\r") chompStart = i;
		else break;
	}
	if (chompStart === 0) {
		const value = header.chomp === "+" && lines.length > 0 ? "\n".repeat(Math.max(1, lines.length - 1)) : "";
		let end = start + header.length;
		if (scalar.source) end += scalar.source.length;
		return {
			value,
			type,
			comment: header.comment,
			range: [
				start,
				end,
				end
			]
		};
	}
	let trimIndent = scalar.indent + header.indent;
	let offset = scalar.offset + header.length;
	let contentStart = 0;
	for (let i = 0; i < chompStart; ++i) {
		const [indent, content] = lines[i];
		if (content === "" || content === "\r") {
			if (header.indent === 0 && indent.length > trimIndent) trimIndent = indent.length;
		} else {
			if (indent.length < trimIndent) onError(offset + indent.length, "MISSING_CHAR", "Block scalars with more-indented leading empty lines must use an explicit indentation indicator");
			if (header.indent === 0) trimIndent = indent.length;
			contentStart = i;
			if (trimIndent === 0 && !ctx.atRoot) onError(offset, "BAD_INDENT", "Block scalar values in collections must be indented");
			break;
		}
		offset += indent.length + content.length + 1;
	}
	for (let i = lines.length - 1; i >= chompStart; --i) if (lines[i][0].length > trimIndent) chompStart = i + 1;
	let value = "";
	let sep = "";
	let prevMoreIndented = false;
	for (let i = 0; i < contentStart; ++i) value += lines[i][0].slice(trimIndent) + "\n";
	for (let i = contentStart; i < chompStart; ++i) {
		let [indent, content] = lines[i];
		offset += indent.length + content.length + 1;
		const crlf = content[content.length - 1] === "\r";
		if (crlf) content = content.slice(0, -1);
		if (content && indent.length < trimIndent) {
			const message = `Block scalar lines must not be less indented than their ${header.indent ? "explicit indentation indicator" : "first line"}`;
			onError(offset - content.length - (crlf ? 2 : 1), "BAD_INDENT", message);
			indent = "";
		}
		if (type === Scalar.BLOCK_LITERAL) {
			value += sep + indent.slice(trimIndent) + content;
			sep = "\n";
		} else if (indent.length > trimIndent || content[0] === "	") {
			if (sep === " ") sep = "\n";
			else if (!prevMoreIndented && sep === "\n") sep = "\n\n";
			value += sep + indent.slice(trimIndent) + content;
			sep = "\n";
			prevMoreIndented = true;
		} else if (content === "") {
			if (sep === "\n") value += "\n";
			else sep = "\n";
		} else {
			value += sep + content;
			sep = " ";
			prevMoreIndented = false;
		}
	}
	switch (header.chomp) {
		case "-": break;
		case "+":
			for (let i = chompStart; i < lines.length; ++i) value += "\n" + lines[i][0].slice(trimIndent);
			if (value[value.length - 1] !== "\n") value += "\n";
			break;
		default: value += "\n";
	}
	const end = start + header.length + scalar.source.length;
	return {
		value,
		type,
		comment: header.comment,
		range: [
			start,
			end,
			end
		]
	};
}
function parseBlockScalarHeader({ offset, props }, strict, onError) {
	if (props[0].type !== "block-scalar-header") {
		onError(props[0], "IMPOSSIBLE", "Block scalar header not found");
		return null;
	}
	const { source } = props[0];
	const mode = source[0];
	let indent = 0;
	let chomp = "";
	let error = -1;
	for (let i = 1; i < source.length; ++i) {
		const ch = source[i];
		if (!chomp && (ch === "-" || ch === "+")) chomp = ch;
		else {
			const n = Number(ch);
			if (!indent && n) indent = n;
			else if (error === -1) error = offset + i;
		}
	}
	if (error !== -1) onError(error, "UNEXPECTED_TOKEN", `Block scalar header includes extra characters: ${source}`);
	let hasSpace = false;
	let comment = "";
	let length = source.length;
	for (let i = 1; i < props.length; ++i) {
		const token = props[i];
		switch (token.type) {
			case "space": hasSpace = true;
			case "newline":
				length += token.source.length;
				break;
			case "comment":
				if (strict && !hasSpace) onError(token, "MISSING_CHAR", "Comments must be separated from other tokens by white space characters");
				length += token.source.length;
				comment = token.source.substring(1);
				break;
			case "error":
				onError(token, "UNEXPECTED_TOKEN", token.message);
				length += token.source.length;
				break;
			default: {
				onError(token, "UNEXPECTED_TOKEN", `Unexpected token in block scalar header: ${token.type}`);
				const ts = token.source;
				if (ts && typeof ts === "string") length += ts.length;
			}
		}
	}
	return {
		mode,
		indent,
		chomp,
		comment,
		length
	};
}
function splitLines(source) {
	const split = source.split(/\n( *)/);
	const first = split[0];
	const m = first.match(/^( *)/);
	const lines = [m?.[1] ? [m[1], first.slice(m[1].length)] : ["", first]];
	for (let i = 1; i < split.length; i += 2) lines.push([split[i], split[i + 1]]);
	return lines;
}
function resolveFlowScalar(scalar, strict, onError) {
	const { offset, type, source, end } = scalar;
	let _type;
	let value;
	const _onError = (rel, code, msg) => onError(offset + rel, code, msg);
	switch (type) {
		case "scalar":
			_type = Scalar.PLAIN;
			value = plainValue(source, _onError);
			break;
		case "single-quoted-scalar":
			_type = Scalar.QUOTE_SINGLE;
			value = singleQuotedValue(source, _onError);
			break;
		case "double-quoted-scalar":
			_type = Scalar.QUOTE_DOUBLE;
			value = doubleQuotedValue(source, _onError);
			break;
		default:
			onError(scalar, "UNEXPECTED_TOKEN", `Expected a flow scalar value, but found: ${type}`);
			return {
				value: "",
				type: null,
				comment: "",
				range: [
					offset,
					offset + source.length,
					offset + source.length
				]
			};
	}
	const valueEnd = offset + source.length;
	const re = resolveEnd(end, valueEnd, strict, onError);
	return {
		value,
		type: _type,
		comment: re.comment,
		range: [
			offset,
			valueEnd,
			re.offset
		]
	};
}
function plainValue(source, onError) {
	let badChar = "";
	switch (source[0]) {
		case "	":
			badChar = "a tab character";
			break;
		case ",":
			badChar = "flow indicator character ,";
			break;
		case "%":
			badChar = "directive indicator character %";
			break;
		case "|":
		case ">":
			badChar = `block scalar indicator ${source[0]}`;
			break;
		case "@":
		case "`": badChar = `reserved character ${source[0]}`;
	}
	if (badChar) onError(0, "BAD_SCALAR_START", `Plain value cannot start with ${badChar}`);
	return unfoldLines(source);
}
function singleQuotedValue(source, onError) {
	if (source[source.length - 1] !== "'" || source.length === 1) onError(source.length, "MISSING_CHAR", "Missing closing 'quote");
	return unfoldLines(source.slice(1, -1)).replace(/''/g, "'");
}
function unfoldLines(source) {
	const line = /(.*?)\r?\n/sy;
	let match = line.exec(source);
	if (!match) return source;
	let trimEnd, trimBoth;
	try {
		trimEnd = new RegExp("(?<![ 	])[ 	]+$");
		trimBoth = new RegExp("^[ 	]+|(?<![ 	])[ 	]+$", "g");
	} catch {
		trimEnd = /[ \t]+$/;
		trimBoth = /^[ \t]+|[ \t]+$/g;
	}
	let res = match[1].replace(trimEnd, "");
	let sep = " ";
	let pos = line.lastIndex;
	while (match = line.exec(source)) {
		const lm = match[1].replace(trimBoth, "");
		if (lm === "") {
			if (sep === "\n") res += sep;
			else sep = "\n";
		} else {
			res += sep + lm;
			sep = " ";
		}
		pos = line.lastIndex;
	}
	const last = /[ \t]*(.*)/sy;
	last.lastIndex = pos;
	match = last.exec(source);
	return res + sep + (match?.[1] ?? "");
}
function doubleQuotedValue(source, onError) {
	let res = "";
	for (let i = 1; i < source.length - 1; ++i) {
		const ch = source[i];
		if (ch === "\r" && source[i + 1] === "\n") continue;
		if (ch === "\n") {
			const { fold, offset } = foldNewline(source, i);
			res += fold;
			i = offset;
		} else if (ch === "\\") {
			let next = source[++i];
			const cc = escapeCodes[next];
			if (cc) res += cc;
			else if (next === "\n") {
				next = source[i + 1];
				while (next === " " || next === "	") next = source[++i + 1];
			} else if (next === "\r" && source[i + 1] === "\n") {
				next = source[++i + 1];
				while (next === " " || next === "	") next = source[++i + 1];
			} else if (next === "x" || next === "u" || next === "U") {
				const length = next === "x" ? 2 : next === "u" ? 4 : 8;
				res += parseCharCode(source, i + 1, length, onError);
				i += length;
			} else {
				const raw = source.substr(i - 1, 2);
				onError(i - 1, "BAD_DQ_ESCAPE", `Invalid escape sequence ${raw}`);
				res += raw;
			}
		} else if (ch === " " || ch === "	") {
			const wsStart = i;
			let next = source[i + 1];
			while (next === " " || next === "	") next = source[++i + 1];
			if (next !== "\n" && !(next === "\r" && source[i + 2] === "\n")) res += i > wsStart ? source.slice(wsStart, i + 1) : ch;
		} else res += ch;
	}
	if (source[source.length - 1] !== "\"" || source.length === 1) onError(source.length, "MISSING_CHAR", "Missing closing \"quote");
	return res;
}
function foldNewline(source, offset) {
	let fold = "";
	let ch = source[offset + 1];
	while (ch === " " || ch === "	" || ch === "\n" || ch === "\r") {
		if (ch === "\r" && source[offset + 2] !== "\n") break;
		if (ch === "\n") fold += "\n";
		offset += 1;
		ch = source[offset + 1];
	}
	if (!fold) fold = " ";
	return {
		fold,
		offset
	};
}
const escapeCodes = {
	"0": "\0",
	a: "\x07",
	b: "\b",
	e: "\x1B",
	f: "\f",
	n: "\n",
	r: "\r",
	t: "	",
	v: "\v",
	N: "",
	_: "\xA0",
	L: "\u2028",
	P: "\u2029",
	" ": " ",
	"\"": "\"",
	"/": "/",
	"\\": "\\",
	"	": "	"
};
function parseCharCode(source, offset, length, onError) {
	const cc = source.substr(offset, length);
	const code = cc.length === length && /^[0-9a-fA-F]+$/.test(cc) ? parseInt(cc, 16) : NaN;
	try {
		return String.fromCodePoint(code);
	} catch {
		const raw = source.substr(offset - 2, length + 2);
		onError(offset - 2, "BAD_DQ_ESCAPE", `Invalid escape sequence ${raw}`);
		return raw;
	}
}
function composeScalar(ctx, token, tagToken, onError) {
	const { value, type, comment, range } = token.type === "block-scalar" ? resolveBlockScalar(ctx, token, onError) : resolveFlowScalar(token, ctx.options.strict, onError);
	const tagName = tagToken ? ctx.directives.tagName(tagToken.source, (msg) => onError(tagToken, "TAG_RESOLVE_FAILED", msg)) : null;
	let tag;
	if (ctx.options.stringKeys && ctx.atKey) tag = ctx.schema[SCALAR$1];
	else if (tagName) tag = findScalarTagByName(ctx.schema, value, tagName, tagToken, onError);
	else if (token.type === "scalar") tag = findScalarTagByTest(ctx, value, token, onError);
	else tag = ctx.schema[SCALAR$1];
	let scalar;
	try {
		const res = tag.resolve(value, (msg) => onError(tagToken ?? token, "TAG_RESOLVE_FAILED", msg), ctx.options);
		scalar = isScalar(res) ? res : new Scalar(res);
	} catch (error) {
		const msg = error instanceof Error ? error.message : String(error);
		onError(tagToken ?? token, "TAG_RESOLVE_FAILED", msg);
		scalar = new Scalar(value);
	}
	scalar.range = range;
	scalar.source = value;
	if (type) scalar.type = type;
	if (tagName) scalar.tag = tagName;
	if (tag.format) scalar.format = tag.format;
	if (comment) scalar.comment = comment;
	return scalar;
}
function findScalarTagByName(schema, value, tagName, tagToken, onError) {
	if (tagName === "!") return schema[SCALAR$1];
	const matchWithTest = [];
	for (const tag of schema.tags) if (!tag.collection && tag.tag === tagName) {
		if (tag.default && tag.test) matchWithTest.push(tag);
		else return tag;
	}
	for (const tag of matchWithTest) if (tag.test?.test(value)) return tag;
	const kt = schema.knownTags[tagName];
	if (kt && !kt.collection) {
		schema.tags.push(Object.assign({}, kt, {
			default: false,
			test: void 0
		}));
		return kt;
	}
	onError(tagToken, "TAG_RESOLVE_FAILED", `Unresolved tag: ${tagName}`, tagName !== "tag:yaml.org,2002:str");
	return schema[SCALAR$1];
}
function findScalarTagByTest({ atKey, directives, schema }, value, token, onError) {
	const tag = schema.tags.find((tag) => (tag.default === true || atKey && tag.default === "key") && tag.test?.test(value)) || schema[SCALAR$1];
	if (schema.compat) {
		const compat = schema.compat.find((tag) => tag.default && tag.test?.test(value)) ?? schema[SCALAR$1];
		if (tag.tag !== compat.tag) onError(token, "TAG_RESOLVE_FAILED", `Value may be parsed as either ${directives.tagString(tag.tag)} or ${directives.tagString(compat.tag)}`, true);
	}
	return tag;
}
function emptyScalarPosition(offset, before, pos) {
	if (before) {
		pos ?? (pos = before.length);
		for (let i = pos - 1; i >= 0; --i) {
			let st = before[i];
			switch (st.type) {
				case "space":
				case "comment":
				case "newline":
					offset -= st.source.length;
					continue;
			}
			st = before[++i];
			while (st?.type === "space") {
				offset += st.source.length;
				st = before[++i];
			}
			break;
		}
	}
	return offset;
}
const CN = {
	composeNode,
	composeEmptyNode
};
function composeNode(ctx, token, props, onError) {
	const atKey = ctx.atKey;
	const { spaceBefore, comment, anchor, tag } = props;
	let node;
	let isSrcToken = true;
	switch (token.type) {
		case "alias":
			node = composeAlias(ctx, token, onError);
			if (anchor || tag) onError(token, "ALIAS_PROPS", "An alias node must not specify any properties");
			break;
		case "scalar":
		case "single-quoted-scalar":
		case "double-quoted-scalar":
		case "block-scalar":
			node = composeScalar(ctx, token, tag, onError);
			if (anchor) node.anchor = anchor.source.substring(1);
			break;
		case "block-map":
		case "block-seq":
		case "flow-collection":
			try {
				node = composeCollection(CN, ctx, token, props, onError);
				if (anchor) node.anchor = anchor.source.substring(1);
			} catch (error) {
				onError(token, "RESOURCE_EXHAUSTION", error instanceof Error ? error.message : String(error));
			}
			break;
		default:
			onError(token, "UNEXPECTED_TOKEN", token.type === "error" ? token.message : `Unsupported token (type: ${token.type})`);
			isSrcToken = false;
	}
	node ?? (node = composeEmptyNode(ctx, token.offset, void 0, null, props, onError));
	if (anchor && node.anchor === "") onError(anchor, "BAD_ALIAS", "Anchor cannot be an empty string");
	if (atKey && ctx.options.stringKeys && (!isScalar(node) || typeof node.value !== "string" || node.tag && node.tag !== "tag:yaml.org,2002:str")) onError(tag ?? token, "NON_STRING_KEY", "With stringKeys, all keys must be strings");
	if (spaceBefore) node.spaceBefore = true;
	if (comment) {
		if (token.type === "scalar" && token.source === "") node.comment = comment;
		else node.commentBefore = comment;
	}
	if (ctx.options.keepSourceTokens && isSrcToken) node.srcToken = token;
	return node;
}
function composeEmptyNode(ctx, offset, before, pos, { spaceBefore, comment, anchor, tag, end }, onError) {
	const node = composeScalar(ctx, {
		type: "scalar",
		offset: emptyScalarPosition(offset, before, pos),
		indent: -1,
		source: ""
	}, tag, onError);
	if (anchor) {
		node.anchor = anchor.source.substring(1);
		if (node.anchor === "") onError(anchor, "BAD_ALIAS", "Anchor cannot be an empty string");
	}
	if (spaceBefore) node.spaceBefore = true;
	if (comment) {
		node.comment = comment;
		node.range[2] = end;
	}
	return node;
}
function composeAlias({ options }, { offset, source, end }, onError) {
	const alias = new Alias(source.substring(1));
	if (alias.source === "") onError(offset, "BAD_ALIAS", "Alias cannot be an empty string");
	if (alias.source.endsWith(":")) onError(offset + source.length - 1, "BAD_ALIAS", "Alias ending in : is ambiguous", true);
	const valueEnd = offset + source.length;
	const re = resolveEnd(end, valueEnd, options.strict, onError);
	alias.range = [
		offset,
		valueEnd,
		re.offset
	];
	if (re.comment) alias.comment = re.comment;
	return alias;
}
function composeDoc(options, directives, { offset, start, value, end }, onError) {
	const doc = new Document(void 0, Object.assign({ _directives: directives }, options));
	const ctx = {
		atKey: false,
		atRoot: true,
		directives: doc.directives,
		options: doc.options,
		schema: doc.schema
	};
	const props = resolveProps(start, {
		indicator: "doc-start",
		next: value ?? end?.[0],
		offset,
		onError,
		parentIndent: 0,
		startOnNewline: true
	});
	if (props.found) {
		doc.directives.docStart = true;
		if (value && (value.type === "block-map" || value.type === "block-seq") && !props.hasNewline) onError(props.end, "MISSING_CHAR", "Block collection cannot start on same line with directives-end marker");
	}
	doc.contents = value ? composeNode(ctx, value, props, onError) : composeEmptyNode(ctx, props.end, start, null, props, onError);
	const contentEnd = doc.contents.range[2];
	const re = resolveEnd(end, contentEnd, false, onError);
	if (re.comment) doc.comment = re.comment;
	doc.range = [
		offset,
		contentEnd,
		re.offset
	];
	return doc;
}
function getErrorPos(src) {
	if (typeof src === "number") return [src, src + 1];
	if (Array.isArray(src)) return src.length === 2 ? src : [src[0], src[1]];
	const { offset, source } = src;
	return [offset, offset + (typeof source === "string" ? source.length : 1)];
}
function parsePrelude(prelude) {
	let comment = "";
	let atComment = false;
	let afterEmptyLine = false;
	for (let i = 0; i < prelude.length; ++i) {
		const source = prelude[i];
		switch (source[0]) {
			case "#":
				comment += (comment === "" ? "" : afterEmptyLine ? "\n\n" : "\n") + (source.substring(1) || " ");
				atComment = true;
				afterEmptyLine = false;
				break;
			case "%":
				if (prelude[i + 1]?.[0] !== "#") i += 1;
				atComment = false;
				break;
			default:
				if (!atComment) afterEmptyLine = true;
				atComment = false;
		}
	}
	return {
		comment,
		afterEmptyLine
	};
}
var Composer = class {
	constructor(options = {}) {
		this.doc = null;
		this.atDirectives = false;
		this.prelude = [];
		this.errors = [];
		this.warnings = [];
		this.onError = (source, code, message, warning) => {
			const pos = getErrorPos(source);
			if (warning) this.warnings.push(new YAMLWarning(pos, code, message));
			else this.errors.push(new YAMLParseError(pos, code, message));
		};
		this.directives = new Directives({ version: options.version || "1.2" });
		this.options = options;
	}
	decorate(doc, afterDoc) {
		const { comment, afterEmptyLine } = parsePrelude(this.prelude);
		if (comment) {
			const dc = doc.contents;
			if (afterDoc) doc.comment = doc.comment ? `${doc.comment}\n${comment}` : comment;
			else if (afterEmptyLine || doc.directives.docStart || !dc) doc.commentBefore = comment;
			else if (isCollection(dc) && !dc.flow && dc.items.length > 0) {
				let it = dc.items[0];
				if (isPair(it)) it = it.key;
				const cb = it.commentBefore;
				it.commentBefore = cb ? `${comment}\n${cb}` : comment;
			} else {
				const cb = dc.commentBefore;
				dc.commentBefore = cb ? `${comment}\n${cb}` : comment;
			}
		}
		if (afterDoc) {
			for (let i = 0; i < this.errors.length; ++i) doc.errors.push(this.errors[i]);
			for (let i = 0; i < this.warnings.length; ++i) doc.warnings.push(this.warnings[i]);
		} else {
			doc.errors = this.errors;
			doc.warnings = this.warnings;
		}
		this.prelude = [];
		this.errors = [];
		this.warnings = [];
	}
	streamInfo() {
		return {
			comment: parsePrelude(this.prelude).comment,
			directives: this.directives,
			errors: this.errors,
			warnings: this.warnings
		};
	}
	*compose(tokens, forceDoc = false, endOffset = -1) {
		for (const token of tokens) yield* this.next(token);
		yield* this.end(forceDoc, endOffset);
	}
	*next(token) {
		switch (token.type) {
			case "directive":
				this.directives.add(token.source, (offset, message, warning) => {
					const pos = getErrorPos(token);
					pos[0] += offset;
					this.onError(pos, "BAD_DIRECTIVE", message, warning);
				});
				this.prelude.push(token.source);
				this.atDirectives = true;
				break;
			case "document": {
				const doc = composeDoc(this.options, this.directives, token, this.onError);
				if (this.atDirectives && !doc.directives.docStart) this.onError(token, "MISSING_CHAR", "Missing directives-end/doc-start indicator line");
				this.decorate(doc, false);
				if (this.doc) yield this.doc;
				this.doc = doc;
				this.atDirectives = false;
				break;
			}
			case "byte-order-mark":
			case "space": break;
			case "comment":
			case "newline":
				this.prelude.push(token.source);
				break;
			case "error": {
				const msg = token.source ? `${token.message}: ${JSON.stringify(token.source)}` : token.message;
				const error = new YAMLParseError(getErrorPos(token), "UNEXPECTED_TOKEN", msg);
				if (this.atDirectives || !this.doc) this.errors.push(error);
				else this.doc.errors.push(error);
				break;
			}
			case "doc-end": {
				if (!this.doc) {
					this.errors.push(new YAMLParseError(getErrorPos(token), "UNEXPECTED_TOKEN", "Unexpected doc-end without preceding document"));
					break;
				}
				this.doc.directives.docEnd = true;
				const end = resolveEnd(token.end, token.offset + token.source.length, this.doc.options.strict, this.onError);
				this.decorate(this.doc, true);
				if (end.comment) {
					const dc = this.doc.comment;
					this.doc.comment = dc ? `${dc}\n${end.comment}` : end.comment;
				}
				this.doc.range[2] = end.offset;
				break;
			}
			default: this.errors.push(new YAMLParseError(getErrorPos(token), "UNEXPECTED_TOKEN", `Unsupported token ${token.type}`));
		}
	}
	*end(forceDoc = false, endOffset = -1) {
		if (this.doc) {
			this.decorate(this.doc, true);
			yield this.doc;
			this.doc = null;
		} else if (forceDoc) {
			const doc = new Document(void 0, Object.assign({ _directives: this.directives }, this.options));
			if (this.atDirectives) this.onError(endOffset, "MISSING_CHAR", "Missing directives-end indicator line");
			doc.range = [
				0,
				endOffset,
				endOffset
			];
			this.decorate(doc, false);
			yield doc;
		}
	}
};
const BREAK = Symbol("break visit");
const SKIP = Symbol("skip children");
const REMOVE = Symbol("remove item");
function visit(cst, visitor) {
	if ("type" in cst && cst.type === "document") cst = {
		start: cst.start,
		value: cst.value
	};
	_visit(Object.freeze([]), cst, visitor);
}
visit.BREAK = BREAK;
visit.SKIP = SKIP;
visit.REMOVE = REMOVE;
visit.itemAtPath = (cst, path) => {
	let item = cst;
	for (const [field, index] of path) {
		const tok = item?.[field];
		if (tok && "items" in tok) item = tok.items[index];
		else return void 0;
	}
	return item;
};
visit.parentCollection = (cst, path) => {
	const parent = visit.itemAtPath(cst, path.slice(0, -1));
	const field = path[path.length - 1][0];
	const coll = parent?.[field];
	if (coll && "items" in coll) return coll;
	throw new Error("Parent collection not found");
};
function _visit(path, item, visitor) {
	let ctrl = visitor(item, path);
	if (typeof ctrl === "symbol") return ctrl;
	for (const field of ["key", "value"]) {
		const token = item[field];
		if (token && "items" in token) {
			for (let i = 0; i < token.items.length; ++i) {
				const ci = _visit(Object.freeze(path.concat([[field, i]])), token.items[i], visitor);
				if (typeof ci === "number") i = ci - 1;
				else if (ci === BREAK) return BREAK;
				else if (ci === REMOVE) {
					token.items.splice(i, 1);
					i -= 1;
				}
			}
			if (typeof ctrl === "function" && field === "key") ctrl = ctrl(item, path);
		}
	}
	return typeof ctrl === "function" ? ctrl(item, path) : ctrl;
}
function tokenType(source) {
	switch (source) {
		case "﻿": return "byte-order-mark";
		case "": return "doc-mode";
		case "": return "flow-error-end";
		case "": return "scalar";
		case "---": return "doc-start";
		case "...": return "doc-end";
		case "":
		case "\n":
		case "\r\n": return "newline";
		case "-": return "seq-item-ind";
		case "?": return "explicit-key-ind";
		case ":": return "map-value-ind";
		case "{": return "flow-map-start";
		case "}": return "flow-map-end";
		case "[": return "flow-seq-start";
		case "]": return "flow-seq-end";
		case ",": return "comma";
	}
	switch (source[0]) {
		case " ":
		case "	": return "space";
		case "#": return "comment";
		case "%": return "directive-line";
		case "*": return "alias";
		case "&": return "anchor";
		case "!": return "tag";
		case "'": return "single-quoted-scalar";
		case "\"": return "double-quoted-scalar";
		case "|":
		case ">": return "block-scalar-header";
	}
	return null;
}
function isEmpty$2(ch) {
	switch (ch) {
		case void 0:
		case " ":
		case "\n":
		case "\r":
		case "	": return true;
		default: return false;
	}
}
const hexDigits$1 = new Set("0123456789ABCDEFabcdef");
const tagChars = new Set("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-#;/?:@&=+$_.!~*'()");
const flowIndicatorChars = new Set(",[]{}");
const invalidAnchorChars = new Set(" ,[]{}\n\r	");
const isNotAnchorChar = (ch) => !ch || invalidAnchorChars.has(ch);
var Lexer = class {
	constructor() {
		this.atEnd = false;
		this.blockScalarIndent = -1;
		this.blockScalarKeep = false;
		this.buffer = "";
		this.flowKey = false;
		this.flowLevel = 0;
		this.indentNext = 0;
		this.indentValue = 0;
		this.lineEndPos = null;
		this.next = null;
		this.pos = 0;
	}
	*lex(source, incomplete = false) {
		if (source) {
			if (typeof source !== "string") throw TypeError("source is not a string");
			this.buffer = this.buffer ? this.buffer + source : source;
			this.lineEndPos = null;
		}
		this.atEnd = !incomplete;
		let next = this.next ?? "stream";
		while (next && (incomplete || this.hasChars(1))) next = yield* this.parseNext(next);
	}
	atLineEnd() {
		let i = this.pos;
		let ch = this.buffer[i];
		while (ch === " " || ch === "	") ch = this.buffer[++i];
		if (!ch || ch === "#" || ch === "\n") return true;
		if (ch === "\r") return this.buffer[i + 1] === "\n";
		return false;
	}
	charAt(n) {
		return this.buffer[this.pos + n];
	}
	continueScalar(offset) {
		let ch = this.buffer[offset];
		if (this.indentNext > 0) {
			let indent = 0;
			while (ch === " ") ch = this.buffer[++indent + offset];
			if (ch === "\r") {
				const next = this.buffer[indent + offset + 1];
				if (next === "\n" || !next && !this.atEnd) return offset + indent + 1;
			}
			return ch === "\n" || indent >= this.indentNext || !ch && !this.atEnd ? offset + indent : -1;
		}
		if (ch === "-" || ch === ".") {
			const dt = this.buffer.substr(offset, 3);
			if ((dt === "---" || dt === "...") && isEmpty$2(this.buffer[offset + 3])) return -1;
		}
		return offset;
	}
	getLine() {
		let end = this.lineEndPos;
		if (typeof end !== "number" || end !== -1 && end < this.pos) {
			end = this.buffer.indexOf("\n", this.pos);
			this.lineEndPos = end;
		}
		if (end === -1) return this.atEnd ? this.buffer.substring(this.pos) : null;
		if (this.buffer[end - 1] === "\r") end -= 1;
		return this.buffer.substring(this.pos, end);
	}
	hasChars(n) {
		return this.pos + n <= this.buffer.length;
	}
	setNext(state) {
		this.buffer = this.buffer.substring(this.pos);
		this.pos = 0;
		this.lineEndPos = null;
		this.next = state;
		return null;
	}
	peek(n) {
		return this.buffer.substr(this.pos, n);
	}
	*parseNext(next) {
		switch (next) {
			case "stream": return yield* this.parseStream();
			case "line-start": return yield* this.parseLineStart();
			case "block-start": return yield* this.parseBlockStart();
			case "doc": return yield* this.parseDocument();
			case "flow": return yield* this.parseFlowCollection();
			case "quoted-scalar": return yield* this.parseQuotedScalar();
			case "block-scalar": return yield* this.parseBlockScalar();
			case "plain-scalar": return yield* this.parsePlainScalar();
		}
	}
	*parseStream() {
		let line = this.getLine();
		if (line === null) return this.setNext("stream");
		if (line[0] === "﻿") {
			yield* this.pushCount(1);
			line = line.substring(1);
		}
		if (line[0] === "%") {
			let dirEnd = line.length;
			let cs = line.indexOf("#");
			while (cs !== -1) {
				const ch = line[cs - 1];
				if (ch === " " || ch === "	") {
					dirEnd = cs - 1;
					break;
				} else cs = line.indexOf("#", cs + 1);
			}
			while (true) {
				const ch = line[dirEnd - 1];
				if (ch === " " || ch === "	") dirEnd -= 1;
				else break;
			}
			const n = (yield* this.pushCount(dirEnd)) + (yield* this.pushSpaces(true));
			yield* this.pushCount(line.length - n);
			this.pushNewline();
			return "stream";
		}
		if (this.atLineEnd()) {
			const sp = yield* this.pushSpaces(true);
			yield* this.pushCount(line.length - sp);
			yield* this.pushNewline();
			return "stream";
		}
		yield "";
		return yield* this.parseLineStart();
	}
	*parseLineStart() {
		const ch = this.charAt(0);
		if (!ch && !this.atEnd) return this.setNext("line-start");
		if (ch === "-" || ch === ".") {
			if (!this.atEnd && !this.hasChars(4)) return this.setNext("line-start");
			const s = this.peek(3);
			if ((s === "---" || s === "...") && isEmpty$2(this.charAt(3))) {
				yield* this.pushCount(3);
				this.indentValue = 0;
				this.indentNext = 0;
				return s === "---" ? "doc" : "stream";
			}
		}
		this.indentValue = yield* this.pushSpaces(false);
		if (this.indentNext > this.indentValue && !isEmpty$2(this.charAt(1))) this.indentNext = this.indentValue;
		return yield* this.parseBlockStart();
	}
	*parseBlockStart() {
		const [ch0, ch1] = this.peek(2);
		if (!ch1 && !this.atEnd) return this.setNext("block-start");
		if ((ch0 === "-" || ch0 === "?" || ch0 === ":") && isEmpty$2(ch1)) {
			const n = (yield* this.pushCount(1)) + (yield* this.pushSpaces(true));
			this.indentNext = this.indentValue + 1;
			this.indentValue += n;
			return "block-start";
		}
		return "doc";
	}
	*parseDocument() {
		yield* this.pushSpaces(true);
		const line = this.getLine();
		if (line === null) return this.setNext("doc");
		let n = yield* this.pushIndicators();
		switch (line[n]) {
			case "#": yield* this.pushCount(line.length - n);
			case void 0:
				yield* this.pushNewline();
				return yield* this.parseLineStart();
			case "{":
			case "[":
				yield* this.pushCount(1);
				this.flowKey = false;
				this.flowLevel = 1;
				return "flow";
			case "}":
			case "]":
				yield* this.pushCount(1);
				return "doc";
			case "*":
				yield* this.pushUntil(isNotAnchorChar);
				return "doc";
			case "\"":
			case "'": return yield* this.parseQuotedScalar();
			case "|":
			case ">":
				n += yield* this.parseBlockScalarHeader();
				n += yield* this.pushSpaces(true);
				yield* this.pushCount(line.length - n);
				yield* this.pushNewline();
				return yield* this.parseBlockScalar();
			default: return yield* this.parsePlainScalar();
		}
	}
	*parseFlowCollection() {
		let nl, sp;
		let indent = -1;
		do {
			nl = yield* this.pushNewline();
			if (nl > 0) {
				sp = yield* this.pushSpaces(false);
				this.indentValue = indent = sp;
			} else sp = 0;
			sp += yield* this.pushSpaces(true);
		} while (nl + sp > 0);
		const line = this.getLine();
		if (line === null) return this.setNext("flow");
		if (indent !== -1 && indent < this.indentNext && line[0] !== "#" || indent === 0 && (line.startsWith("---") || line.startsWith("...")) && isEmpty$2(line[3])) {
			if (!(indent === this.indentNext - 1 && this.flowLevel === 1 && (line[0] === "]" || line[0] === "}"))) {
				this.flowLevel = 0;
				yield "";
				return yield* this.parseLineStart();
			}
		}
		let n = 0;
		while (line[n] === ",") {
			n += yield* this.pushCount(1);
			n += yield* this.pushSpaces(true);
			this.flowKey = false;
		}
		n += yield* this.pushIndicators();
		switch (line[n]) {
			case void 0: return "flow";
			case "#":
				yield* this.pushCount(line.length - n);
				return "flow";
			case "{":
			case "[":
				yield* this.pushCount(1);
				this.flowKey = false;
				this.flowLevel += 1;
				return "flow";
			case "}":
			case "]":
				yield* this.pushCount(1);
				this.flowKey = true;
				this.flowLevel -= 1;
				return this.flowLevel ? "flow" : "doc";
			case "*":
				yield* this.pushUntil(isNotAnchorChar);
				return "flow";
			case "\"":
			case "'":
				this.flowKey = true;
				return yield* this.parseQuotedScalar();
			case ":": {
				const next = this.charAt(1);
				if (this.flowKey || isEmpty$2(next) || next === ",") {
					this.flowKey = false;
					yield* this.pushCount(1);
					yield* this.pushSpaces(true);
					return "flow";
				}
			}
			default:
				this.flowKey = false;
				return yield* this.parsePlainScalar();
		}
	}
	*parseQuotedScalar() {
		const quote = this.charAt(0);
		let end = this.buffer.indexOf(quote, this.pos + 1);
		if (quote === "'") while (end !== -1 && this.buffer[end + 1] === "'") end = this.buffer.indexOf("'", end + 2);
		else while (end !== -1) {
			let n = 0;
			while (this.buffer[end - 1 - n] === "\\") n += 1;
			if (n % 2 === 0) break;
			end = this.buffer.indexOf("\"", end + 1);
		}
		const qb = this.buffer.substring(0, end);
		let nl = qb.indexOf("\n", this.pos);
		if (nl !== -1) {
			while (nl !== -1) {
				const cs = this.continueScalar(nl + 1);
				if (cs === -1) break;
				nl = qb.indexOf("\n", cs);
			}
			if (nl !== -1) end = nl - (qb[nl - 1] === "\r" ? 2 : 1);
		}
		if (end === -1) {
			if (!this.atEnd) return this.setNext("quoted-scalar");
			end = this.buffer.length;
		}
		yield* this.pushToIndex(end + 1, false);
		return this.flowLevel ? "flow" : "doc";
	}
	*parseBlockScalarHeader() {
		this.blockScalarIndent = -1;
		this.blockScalarKeep = false;
		let i = this.pos;
		while (true) {
			const ch = this.buffer[++i];
			if (ch === "+") this.blockScalarKeep = true;
			else if (ch > "0" && ch <= "9") this.blockScalarIndent = Number(ch) - 1;
			else if (ch !== "-") break;
		}
		return yield* this.pushUntil((ch) => isEmpty$2(ch) || ch === "#");
	}
	*parseBlockScalar() {
		let nl = this.pos - 1;
		let indent = 0;
		let ch;
		loop: for (let i = this.pos; ch = this.buffer[i]; ++i) switch (ch) {
			case " ":
				indent += 1;
				break;
			case "\n":
				nl = i;
				indent = 0;
				break;
			case "\r": {
				const next = this.buffer[i + 1];
				if (!next && !this.atEnd) return this.setNext("block-scalar");
				if (next === "\n") break;
			}
			default: break loop;
		}
		if (!ch && !this.atEnd) return this.setNext("block-scalar");
		if (indent >= this.indentNext) {
			if (this.blockScalarIndent === -1) this.indentNext = indent;
			else this.indentNext = this.blockScalarIndent + (this.indentNext === 0 ? 1 : this.indentNext);
			do {
				const cs = this.continueScalar(nl + 1);
				if (cs === -1) break;
				nl = this.buffer.indexOf("\n", cs);
			} while (nl !== -1);
			if (nl === -1) {
				if (!this.atEnd) return this.setNext("block-scalar");
				nl = this.buffer.length;
			}
		}
		let i = nl + 1;
		ch = this.buffer[i];
		while (ch === " ") ch = this.buffer[++i];
		if (ch === "	") {
			while (ch === "	" || ch === " " || ch === "\r" || ch === "\n") ch = this.buffer[++i];
			nl = i - 1;
		} else if (!this.blockScalarKeep) do {
			let i = nl - 1;
			let ch = this.buffer[i];
			if (ch === "\r") ch = this.buffer[--i];
			const lastChar = i;
			while (ch === " ") ch = this.buffer[--i];
			if (ch === "\n" && i >= this.pos && i + 1 + indent > lastChar) nl = i;
			else break;
		} while (true);
		yield "";
		yield* this.pushToIndex(nl + 1, true);
		return yield* this.parseLineStart();
	}
	*parsePlainScalar() {
		const inFlow = this.flowLevel > 0;
		let end = this.pos - 1;
		let i = this.pos - 1;
		let ch;
		while (ch = this.buffer[++i]) if (ch === ":") {
			const next = this.buffer[i + 1];
			if (isEmpty$2(next) || inFlow && flowIndicatorChars.has(next)) break;
			end = i;
		} else if (isEmpty$2(ch)) {
			let next = this.buffer[i + 1];
			if (ch === "\r") {
				if (next === "\n") {
					i += 1;
					ch = "\n";
					next = this.buffer[i + 1];
				} else end = i;
			}
			if (next === "#" || inFlow && flowIndicatorChars.has(next)) break;
			if (ch === "\n") {
				const cs = this.continueScalar(i + 1);
				if (cs === -1) break;
				i = Math.max(i, cs - 2);
			}
		} else {
			if (inFlow && flowIndicatorChars.has(ch)) break;
			end = i;
		}
		if (!ch && !this.atEnd) return this.setNext("plain-scalar");
		yield "";
		yield* this.pushToIndex(end + 1, true);
		return inFlow ? "flow" : "doc";
	}
	*pushCount(n) {
		if (n > 0) {
			yield this.buffer.substr(this.pos, n);
			this.pos += n;
			return n;
		}
		return 0;
	}
	*pushToIndex(i, allowEmpty) {
		const s = this.buffer.slice(this.pos, i);
		if (s) {
			yield s;
			this.pos += s.length;
			return s.length;
		} else if (allowEmpty) yield "";
		return 0;
	}
	*pushIndicators() {
		let n = 0;
		loop: while (true) {
			switch (this.charAt(0)) {
				case "!":
					n += yield* this.pushTag();
					n += yield* this.pushSpaces(true);
					continue loop;
				case "&":
					n += yield* this.pushUntil(isNotAnchorChar);
					n += yield* this.pushSpaces(true);
					continue loop;
				case "-":
				case "?":
				case ":": {
					const inFlow = this.flowLevel > 0;
					const ch1 = this.charAt(1);
					if (isEmpty$2(ch1) || inFlow && flowIndicatorChars.has(ch1)) {
						if (!inFlow) this.indentNext = this.indentValue + 1;
						else if (this.flowKey) this.flowKey = false;
						n += yield* this.pushCount(1);
						n += yield* this.pushSpaces(true);
						continue loop;
					}
				}
			}
			break loop;
		}
		return n;
	}
	*pushTag() {
		if (this.charAt(1) === "<") {
			let i = this.pos + 2;
			let ch = this.buffer[i];
			while (!isEmpty$2(ch) && ch !== ">") ch = this.buffer[++i];
			return yield* this.pushToIndex(ch === ">" ? i + 1 : i, false);
		} else {
			let i = this.pos + 1;
			let ch = this.buffer[i];
			while (ch) if (tagChars.has(ch)) ch = this.buffer[++i];
			else if (ch === "%" && hexDigits$1.has(this.buffer[i + 1]) && hexDigits$1.has(this.buffer[i + 2])) ch = this.buffer[i += 3];
			else break;
			return yield* this.pushToIndex(i, false);
		}
	}
	*pushNewline() {
		const ch = this.buffer[this.pos];
		if (ch === "\n") return yield* this.pushCount(1);
		else if (ch === "\r" && this.charAt(1) === "\n") return yield* this.pushCount(2);
		else return 0;
	}
	*pushSpaces(allowTabs) {
		let i = this.pos - 1;
		let ch;
		do
			ch = this.buffer[++i];
		while (ch === " " || allowTabs && ch === "	");
		const n = i - this.pos;
		if (n > 0) {
			yield this.buffer.substr(this.pos, n);
			this.pos = i;
		}
		return n;
	}
	*pushUntil(test) {
		let i = this.pos;
		let ch = this.buffer[i];
		while (!test(ch)) ch = this.buffer[++i];
		return yield* this.pushToIndex(i, false);
	}
};
function includesToken(list, type) {
	for (let i = 0; i < list.length; ++i) if (list[i].type === type) return true;
	return false;
}
function findNonEmptyIndex(list) {
	for (let i = 0; i < list.length; ++i) switch (list[i].type) {
		case "space":
		case "comment":
		case "newline": break;
		default: return i;
	}
	return -1;
}
function isFlowToken(token) {
	switch (token?.type) {
		case "alias":
		case "scalar":
		case "single-quoted-scalar":
		case "double-quoted-scalar":
		case "flow-collection": return true;
		default: return false;
	}
}
function getPrevProps(parent) {
	switch (parent.type) {
		case "document": return parent.start;
		case "block-map": {
			const it = parent.items[parent.items.length - 1];
			return it.sep ?? it.start;
		}
		case "block-seq": return parent.items[parent.items.length - 1].start;
		default: return [];
	}
}
function getFirstKeyStartProps(prev) {
	if (prev.length === 0) return [];
	let i = prev.length;
	loop: while (--i >= 0) switch (prev[i].type) {
		case "doc-start":
		case "explicit-key-ind":
		case "map-value-ind":
		case "seq-item-ind":
		case "newline": break loop;
	}
	while (prev[++i]?.type === "space");
	return prev.splice(i, prev.length);
}
function arrayPushArray(target, source) {
	if (source.length < 1e5) Array.prototype.push.apply(target, source);
	else for (let i = 0; i < source.length; ++i) target.push(source[i]);
}
function fixFlowSeqItems(fc) {
	if (fc.start.type === "flow-seq-start") {
		for (const it of fc.items) if (it.sep && !it.value && !includesToken(it.start, "explicit-key-ind") && !includesToken(it.sep, "map-value-ind")) {
			if (it.key) it.value = it.key;
			delete it.key;
			if (isFlowToken(it.value)) {
				if (it.value.end) arrayPushArray(it.value.end, it.sep);
				else it.value.end = it.sep;
			} else arrayPushArray(it.start, it.sep);
			delete it.sep;
		}
	}
}
var Parser = class {
	constructor(onNewLine) {
		this.atNewLine = true;
		this.atScalar = false;
		this.indent = 0;
		this.offset = 0;
		this.onKeyLine = false;
		this.stack = [];
		this.source = "";
		this.type = "";
		this.lexer = new Lexer();
		this.onNewLine = onNewLine;
	}
	*parse(source, incomplete = false) {
		if (this.onNewLine && this.offset === 0) this.onNewLine(0);
		for (const lexeme of this.lexer.lex(source, incomplete)) yield* this.next(lexeme);
		if (!incomplete) yield* this.end();
	}
	*next(source) {
		this.source = source;
		if (this.atScalar) {
			this.atScalar = false;
			yield* this.step();
			this.offset += source.length;
			return;
		}
		const type = tokenType(source);
		if (!type) {
			const message = `Not a YAML token: ${source}`;
			yield* this.pop({
				type: "error",
				offset: this.offset,
				message,
				source
			});
			this.offset += source.length;
		} else if (type === "scalar") {
			this.atNewLine = false;
			this.atScalar = true;
			this.type = "scalar";
		} else {
			this.type = type;
			yield* this.step();
			switch (type) {
				case "newline":
					this.atNewLine = true;
					this.indent = 0;
					if (this.onNewLine) this.onNewLine(this.offset + source.length);
					break;
				case "space":
					if (this.atNewLine && source[0] === " ") this.indent += source.length;
					break;
				case "explicit-key-ind":
				case "map-value-ind":
				case "seq-item-ind":
					if (this.atNewLine) this.indent += source.length;
					break;
				case "doc-mode":
				case "flow-error-end": return;
				default: this.atNewLine = false;
			}
			this.offset += source.length;
		}
	}
	*end() {
		while (this.stack.length > 0) yield* this.pop();
	}
	get sourceToken() {
		return {
			type: this.type,
			offset: this.offset,
			indent: this.indent,
			source: this.source
		};
	}
	*step() {
		const top = this.peek(1);
		if (this.type === "doc-end" && top?.type !== "doc-end") {
			while (this.stack.length > 0) yield* this.pop();
			this.stack.push({
				type: "doc-end",
				offset: this.offset,
				source: this.source
			});
			return;
		}
		if (!top) return yield* this.stream();
		switch (top.type) {
			case "document": return yield* this.document(top);
			case "alias":
			case "scalar":
			case "single-quoted-scalar":
			case "double-quoted-scalar": return yield* this.scalar(top);
			case "block-scalar": return yield* this.blockScalar(top);
			case "block-map": return yield* this.blockMap(top);
			case "block-seq": return yield* this.blockSequence(top);
			case "flow-collection": return yield* this.flowCollection(top);
			case "doc-end": return yield* this.documentEnd(top);
		}
		yield* this.pop();
	}
	peek(n) {
		return this.stack[this.stack.length - n];
	}
	*pop(error) {
		const token = error ?? this.stack.pop();
		if (!token) yield {
			type: "error",
			offset: this.offset,
			source: "",
			message: "Tried to pop an empty stack"
		};
		else if (this.stack.length === 0) yield token;
		else {
			const top = this.peek(1);
			if (token.type === "block-scalar") token.indent = "indent" in top ? top.indent : 0;
			else if (token.type === "flow-collection" && top.type === "document") token.indent = 0;
			if (token.type === "flow-collection") fixFlowSeqItems(token);
			switch (top.type) {
				case "document":
					top.value = token;
					break;
				case "block-scalar":
					top.props.push(token);
					break;
				case "block-map": {
					const it = top.items[top.items.length - 1];
					if (it.value) {
						top.items.push({
							start: [],
							key: token,
							sep: []
						});
						this.onKeyLine = true;
						return;
					} else if (it.sep) it.value = token;
					else {
						Object.assign(it, {
							key: token,
							sep: []
						});
						this.onKeyLine = !it.explicitKey;
						return;
					}
					break;
				}
				case "block-seq": {
					const it = top.items[top.items.length - 1];
					if (it.value) top.items.push({
						start: [],
						value: token
					});
					else it.value = token;
					break;
				}
				case "flow-collection": {
					const it = top.items[top.items.length - 1];
					if (!it || it.value) top.items.push({
						start: [],
						key: token,
						sep: []
					});
					else if (it.sep) it.value = token;
					else Object.assign(it, {
						key: token,
						sep: []
					});
					return;
				}
				default:
					yield* this.pop();
					yield* this.pop(token);
			}
			if ((top.type === "document" || top.type === "block-map" || top.type === "block-seq") && (token.type === "block-map" || token.type === "block-seq")) {
				const last = token.items[token.items.length - 1];
				if (last && !last.sep && !last.value && last.start.length > 0 && findNonEmptyIndex(last.start) === -1 && (token.indent === 0 || last.start.every((st) => st.type !== "comment" || st.indent < token.indent))) {
					if (top.type === "document") top.end = last.start;
					else top.items.push({ start: last.start });
					token.items.splice(-1, 1);
				}
			}
		}
	}
	*stream() {
		switch (this.type) {
			case "directive-line":
				yield {
					type: "directive",
					offset: this.offset,
					source: this.source
				};
				return;
			case "byte-order-mark":
			case "space":
			case "comment":
			case "newline":
				yield this.sourceToken;
				return;
			case "doc-mode":
			case "doc-start": {
				const doc = {
					type: "document",
					offset: this.offset,
					start: []
				};
				if (this.type === "doc-start") doc.start.push(this.sourceToken);
				this.stack.push(doc);
				return;
			}
		}
		yield {
			type: "error",
			offset: this.offset,
			message: `Unexpected ${this.type} token in YAML stream`,
			source: this.source
		};
	}
	*document(doc) {
		if (doc.value) return yield* this.lineEnd(doc);
		switch (this.type) {
			case "doc-start":
				if (findNonEmptyIndex(doc.start) !== -1) {
					yield* this.pop();
					yield* this.step();
				} else doc.start.push(this.sourceToken);
				return;
			case "anchor":
			case "tag":
			case "space":
			case "comment":
			case "newline":
				doc.start.push(this.sourceToken);
				return;
		}
		const bv = this.startBlockValue(doc);
		if (bv) this.stack.push(bv);
		else yield {
			type: "error",
			offset: this.offset,
			message: `Unexpected ${this.type} token in YAML document`,
			source: this.source
		};
	}
	*scalar(scalar) {
		if (this.type === "map-value-ind") {
			const start = getFirstKeyStartProps(getPrevProps(this.peek(2)));
			let sep;
			if (scalar.end) {
				sep = scalar.end;
				sep.push(this.sourceToken);
				delete scalar.end;
			} else sep = [this.sourceToken];
			const map = {
				type: "block-map",
				offset: scalar.offset,
				indent: scalar.indent,
				items: [{
					start,
					key: scalar,
					sep
				}]
			};
			this.onKeyLine = true;
			this.stack[this.stack.length - 1] = map;
		} else yield* this.lineEnd(scalar);
	}
	*blockScalar(scalar) {
		switch (this.type) {
			case "space":
			case "comment":
			case "newline":
				scalar.props.push(this.sourceToken);
				return;
			case "scalar":
				scalar.source = this.source;
				this.atNewLine = true;
				this.indent = 0;
				if (this.onNewLine) {
					let nl = this.source.indexOf("\n") + 1;
					while (nl !== 0) {
						this.onNewLine(this.offset + nl);
						nl = this.source.indexOf("\n", nl) + 1;
					}
				}
				yield* this.pop();
				break;
			default:
				yield* this.pop();
				yield* this.step();
		}
	}
	*blockMap(map) {
		const it = map.items[map.items.length - 1];
		switch (this.type) {
			case "newline":
				this.onKeyLine = false;
				if (it.value) {
					const end = "end" in it.value ? it.value.end : void 0;
					if ((Array.isArray(end) ? end[end.length - 1] : void 0)?.type === "comment") end?.push(this.sourceToken);
					else map.items.push({ start: [this.sourceToken] });
				} else if (it.sep) it.sep.push(this.sourceToken);
				else it.start.push(this.sourceToken);
				return;
			case "space":
			case "comment":
				if (it.value) map.items.push({ start: [this.sourceToken] });
				else if (it.sep) it.sep.push(this.sourceToken);
				else {
					if (this.atIndentedComment(it.start, map.indent)) {
						const end = map.items[map.items.length - 2]?.value?.end;
						if (Array.isArray(end)) {
							arrayPushArray(end, it.start);
							end.push(this.sourceToken);
							map.items.pop();
							return;
						}
					}
					it.start.push(this.sourceToken);
				}
				return;
		}
		if (this.indent >= map.indent) {
			const atMapIndent = !this.onKeyLine && this.indent === map.indent;
			const atNextItem = atMapIndent && (it.sep || it.explicitKey) && this.type !== "seq-item-ind";
			let start = [];
			if (atNextItem && it.sep && !it.value) {
				const nl = [];
				for (let i = 0; i < it.sep.length; ++i) {
					const st = it.sep[i];
					switch (st.type) {
						case "newline":
							nl.push(i);
							break;
						case "space": break;
						case "comment":
							if (st.indent > map.indent) nl.length = 0;
							break;
						default: nl.length = 0;
					}
				}
				if (nl.length >= 2) start = it.sep.splice(nl[1]);
			}
			switch (this.type) {
				case "anchor":
				case "tag":
					if (atNextItem || it.value) {
						start.push(this.sourceToken);
						map.items.push({ start });
						this.onKeyLine = true;
					} else if (it.sep) it.sep.push(this.sourceToken);
					else it.start.push(this.sourceToken);
					return;
				case "explicit-key-ind":
					if (!it.sep && !it.explicitKey) {
						it.start.push(this.sourceToken);
						it.explicitKey = true;
					} else if (atNextItem || it.value) {
						start.push(this.sourceToken);
						map.items.push({
							start,
							explicitKey: true
						});
					} else this.stack.push({
						type: "block-map",
						offset: this.offset,
						indent: this.indent,
						items: [{
							start: [this.sourceToken],
							explicitKey: true
						}]
					});
					this.onKeyLine = true;
					return;
				case "map-value-ind":
					if (it.explicitKey) {
						if (!it.sep) {
							if (includesToken(it.start, "newline")) Object.assign(it, {
								key: null,
								sep: [this.sourceToken]
							});
							else {
								const start = getFirstKeyStartProps(it.start);
								this.stack.push({
									type: "block-map",
									offset: this.offset,
									indent: this.indent,
									items: [{
										start,
										key: null,
										sep: [this.sourceToken]
									}]
								});
							}
						} else if (it.value) map.items.push({
							start: [],
							key: null,
							sep: [this.sourceToken]
						});
						else if (includesToken(it.sep, "map-value-ind")) this.stack.push({
							type: "block-map",
							offset: this.offset,
							indent: this.indent,
							items: [{
								start,
								key: null,
								sep: [this.sourceToken]
							}]
						});
						else if (isFlowToken(it.key) && !includesToken(it.sep, "newline")) {
							const start = getFirstKeyStartProps(it.start);
							const key = it.key;
							const sep = it.sep;
							sep.push(this.sourceToken);
							delete it.key;
							delete it.sep;
							this.stack.push({
								type: "block-map",
								offset: this.offset,
								indent: this.indent,
								items: [{
									start,
									key,
									sep
								}]
							});
						} else if (start.length > 0) it.sep = it.sep.concat(start, this.sourceToken);
						else it.sep.push(this.sourceToken);
					} else if (!it.sep) Object.assign(it, {
						key: null,
						sep: [this.sourceToken]
					});
					else if (it.value || atNextItem) map.items.push({
						start,
						key: null,
						sep: [this.sourceToken]
					});
					else if (includesToken(it.sep, "map-value-ind")) this.stack.push({
						type: "block-map",
						offset: this.offset,
						indent: this.indent,
						items: [{
							start: [],
							key: null,
							sep: [this.sourceToken]
						}]
					});
					else it.sep.push(this.sourceToken);
					this.onKeyLine = true;
					return;
				case "alias":
				case "scalar":
				case "single-quoted-scalar":
				case "double-quoted-scalar": {
					const fs = this.flowScalar(this.type);
					if (atNextItem || it.value) {
						map.items.push({
							start,
							key: fs,
							sep: []
						});
						this.onKeyLine = true;
					} else if (it.sep) this.stack.push(fs);
					else {
						Object.assign(it, {
							key: fs,
							sep: []
						});
						this.onKeyLine = true;
					}
					return;
				}
				default: {
					const bv = this.startBlockValue(map);
					if (bv) {
						if (bv.type === "block-seq") {
							if (!it.explicitKey && it.sep && !includesToken(it.sep, "newline")) {
								yield* this.pop({
									type: "error",
									offset: this.offset,
									message: "Unexpected block-seq-ind on same line with key",
									source: this.source
								});
								return;
							}
						} else if (atMapIndent) map.items.push({ start });
						this.stack.push(bv);
						return;
					}
				}
			}
		}
		yield* this.pop();
		yield* this.step();
	}
	*blockSequence(seq) {
		const it = seq.items[seq.items.length - 1];
		switch (this.type) {
			case "newline":
				if (it.value) {
					const end = "end" in it.value ? it.value.end : void 0;
					if ((Array.isArray(end) ? end[end.length - 1] : void 0)?.type === "comment") end?.push(this.sourceToken);
					else seq.items.push({ start: [this.sourceToken] });
				} else it.start.push(this.sourceToken);
				return;
			case "space":
			case "comment":
				if (it.value) seq.items.push({ start: [this.sourceToken] });
				else {
					if (this.atIndentedComment(it.start, seq.indent)) {
						const end = seq.items[seq.items.length - 2]?.value?.end;
						if (Array.isArray(end)) {
							arrayPushArray(end, it.start);
							end.push(this.sourceToken);
							seq.items.pop();
							return;
						}
					}
					it.start.push(this.sourceToken);
				}
				return;
			case "anchor":
			case "tag":
				if (it.value || this.indent <= seq.indent) break;
				it.start.push(this.sourceToken);
				return;
			case "seq-item-ind":
				if (this.indent !== seq.indent) break;
				if (it.value || includesToken(it.start, "seq-item-ind")) seq.items.push({ start: [this.sourceToken] });
				else it.start.push(this.sourceToken);
				return;
		}
		if (this.indent > seq.indent) {
			const bv = this.startBlockValue(seq);
			if (bv) {
				this.stack.push(bv);
				return;
			}
		}
		yield* this.pop();
		yield* this.step();
	}
	*flowCollection(fc) {
		const it = fc.items[fc.items.length - 1];
		if (this.type === "flow-error-end") {
			let top;
			do {
				yield* this.pop();
				top = this.peek(1);
			} while (top?.type === "flow-collection");
		} else if (fc.end.length === 0) {
			switch (this.type) {
				case "comma":
				case "explicit-key-ind":
					if (!it || it.sep) fc.items.push({ start: [this.sourceToken] });
					else it.start.push(this.sourceToken);
					return;
				case "map-value-ind":
					if (!it || it.value) fc.items.push({
						start: [],
						key: null,
						sep: [this.sourceToken]
					});
					else if (it.sep) it.sep.push(this.sourceToken);
					else Object.assign(it, {
						key: null,
						sep: [this.sourceToken]
					});
					return;
				case "space":
				case "comment":
				case "newline":
				case "anchor":
				case "tag":
					if (!it || it.value) fc.items.push({ start: [this.sourceToken] });
					else if (it.sep) it.sep.push(this.sourceToken);
					else it.start.push(this.sourceToken);
					return;
				case "alias":
				case "scalar":
				case "single-quoted-scalar":
				case "double-quoted-scalar": {
					const fs = this.flowScalar(this.type);
					if (!it || it.value) fc.items.push({
						start: [],
						key: fs,
						sep: []
					});
					else if (it.sep) this.stack.push(fs);
					else Object.assign(it, {
						key: fs,
						sep: []
					});
					return;
				}
				case "flow-map-end":
				case "flow-seq-end":
					fc.end.push(this.sourceToken);
					return;
			}
			const bv = this.startBlockValue(fc);
			if (bv) this.stack.push(bv);
			else {
				yield* this.pop();
				yield* this.step();
			}
		} else {
			const parent = this.peek(2);
			if (parent.type === "block-map" && (this.type === "map-value-ind" && parent.indent === fc.indent || this.type === "newline" && !parent.items[parent.items.length - 1].sep)) {
				yield* this.pop();
				yield* this.step();
			} else if (this.type === "map-value-ind" && parent.type !== "flow-collection") {
				const start = getFirstKeyStartProps(getPrevProps(parent));
				fixFlowSeqItems(fc);
				const sep = fc.end.splice(1, fc.end.length);
				sep.push(this.sourceToken);
				const map = {
					type: "block-map",
					offset: fc.offset,
					indent: fc.indent,
					items: [{
						start,
						key: fc,
						sep
					}]
				};
				this.onKeyLine = true;
				this.stack[this.stack.length - 1] = map;
			} else yield* this.lineEnd(fc);
		}
	}
	flowScalar(type) {
		if (this.onNewLine) {
			let nl = this.source.indexOf("\n") + 1;
			while (nl !== 0) {
				this.onNewLine(this.offset + nl);
				nl = this.source.indexOf("\n", nl) + 1;
			}
		}
		return {
			type,
			offset: this.offset,
			indent: this.indent,
			source: this.source
		};
	}
	startBlockValue(parent) {
		switch (this.type) {
			case "alias":
			case "scalar":
			case "single-quoted-scalar":
			case "double-quoted-scalar": return this.flowScalar(this.type);
			case "block-scalar-header": return {
				type: "block-scalar",
				offset: this.offset,
				indent: this.indent,
				props: [this.sourceToken],
				source: ""
			};
			case "flow-map-start":
			case "flow-seq-start": return {
				type: "flow-collection",
				offset: this.offset,
				indent: this.indent,
				start: this.sourceToken,
				items: [],
				end: []
			};
			case "seq-item-ind": return {
				type: "block-seq",
				offset: this.offset,
				indent: this.indent,
				items: [{ start: [this.sourceToken] }]
			};
			case "explicit-key-ind": {
				this.onKeyLine = true;
				const start = getFirstKeyStartProps(getPrevProps(parent));
				start.push(this.sourceToken);
				return {
					type: "block-map",
					offset: this.offset,
					indent: this.indent,
					items: [{
						start,
						explicitKey: true
					}]
				};
			}
			case "map-value-ind": {
				this.onKeyLine = true;
				const start = getFirstKeyStartProps(getPrevProps(parent));
				return {
					type: "block-map",
					offset: this.offset,
					indent: this.indent,
					items: [{
						start,
						key: null,
						sep: [this.sourceToken]
					}]
				};
			}
		}
		return null;
	}
	atIndentedComment(start, indent) {
		if (this.type !== "comment") return false;
		if (this.indent <= indent) return false;
		return start.every((st) => st.type === "newline" || st.type === "space");
	}
	*documentEnd(docEnd) {
		if (this.type !== "doc-mode") {
			if (docEnd.end) docEnd.end.push(this.sourceToken);
			else docEnd.end = [this.sourceToken];
			if (this.type === "newline") yield* this.pop();
		}
	}
	*lineEnd(token) {
		switch (this.type) {
			case "comma":
			case "doc-start":
			case "doc-end":
			case "flow-seq-end":
			case "flow-map-end":
			case "map-value-ind":
				yield* this.pop();
				yield* this.step();
				break;
			case "newline": this.onKeyLine = false;
			default:
				if (token.end) token.end.push(this.sourceToken);
				else token.end = [this.sourceToken];
				if (this.type === "newline") yield* this.pop();
		}
	}
};
function stringify(value, replacer, options) {
	let _replacer = null;
	if (typeof replacer === "function" || Array.isArray(replacer)) _replacer = replacer;
	else if (options === void 0 && replacer) options = replacer;
	if (typeof options === "string") options = options.length;
	if (typeof options === "number") {
		const indent = Math.round(options);
		options = indent < 1 ? void 0 : indent > 8 ? { indent: 8 } : { indent };
	}
	if (value === void 0) {
		const { keepUndefined } = options ?? replacer ?? {};
		if (!keepUndefined) return void 0;
	}
	if (isDocument(value) && !_replacer) return value.toString(options);
	return new Document(value, _replacer, options).toString(options);
}
function inlineValue(value) {
	if (typeof value === "string") return value.includes("\n") ? void 0 : value;
	if (isArray(value) || isObject$1(value)) return isEmptyCollection(value) ? emptyText(value) : void 0;
	return String(value);
}
function quoteBlank(text) {
	return text === "" || text !== text.trim() ? JSON.stringify(text) : text;
}
function isEmptyCollection(value) {
	return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}
function emptyText(value) {
	return isArray(value) ? "[]" : "{}";
}
function valueLines(value) {
	return (typeof value === "string" ? value : stringify(value, {
		lineWidth: 0,
		indentSeq: false
	})).replace(/\n$/u, "").split("\n");
}
function differingLines(before, after, context) {
	if (before === void 0) return allLines(after, "added");
	if (after === void 0) return allLines(before, "removed");
	return changedLines(before, after, context);
}
function allLines(value, kind) {
	return value === void 0 ? [] : valueLines(value).map((text) => ({
		kind,
		text
	}));
}
const mostEdits = 1e3;
function changedLines(before, after, context) {
	const options = { maxEditLength: mostEdits };
	const parts = diffArrays(valueLines(before), valueLines(after), options);
	if (!parts) return [...allLines(before, "removed"), ...allLines(after, "added")];
	return foldContext(parts.flatMap(({ value, added, removed }) => {
		const kind = added ? "added" : removed ? "removed" : "context";
		return value.map((text) => ({
			kind,
			text
		}));
	}), context);
}
function foldContext(lines, context) {
	const near = new Set();
	lines.forEach(({ kind }, index) => {
		if (kind === "context") return;
		for (let other = index - context; other <= index + context; other += 1) near.add(other);
	});
	return lines.flatMap((line, index) => {
		if (near.has(index)) return [line];
		return index === 0 || near.has(index - 1) ? [{
			kind: "gap",
			text: "…"
		}] : [];
	});
}
const contextLines$1 = 2;
const mostLines = 2e3;
function contractDiff(contract, { open }) {
	const { changes } = contract;
	const summary = `${htmlCode(contractLabel(contract))} · ${count(changes.length, "change", "changes")}`;
	const operations = collapsible(summary, fence("diff", changes.map(operationLine)));
	const lines = changes.flatMap(changeLines$1);
	if (lines.length > mostLines) return [operations, ""];
	return [
		collapsible(summary, fence("diff", lines), { open }),
		operations,
		""
	];
}
function changeLines$1(change) {
	const { kind, label, source } = change;
	const line = source ? ` line ${source.line}` : "";
	const headline = `@@ ${label}${movement$1(change)} @@${line}`;
	if (kind === "move") return [headline];
	return [headline, ...bodyLines(change).map(diffLine)];
}
function movement$1({ kind, from = "", path }) {
	return kind === "move" ? ` moved from ${lastToken$1(from)} to ${lastToken$1(path)}` : "";
}
function lastToken$1(pointer) {
	return pointer.slice(pointer.lastIndexOf("/") + 1);
}
function bodyLines({ before, after }) {
	if (!fitsOneLine(before) || !fitsOneLine(after)) return differingLines(before, after, contextLines$1);
	return [...oneLine$1(before, "removed"), ...oneLine$1(after, "added")];
}
function fitsOneLine(value) {
	return value === void 0 || inlineValue(value) !== void 0;
}
function oneLine$1(value, kind) {
	const text = value === void 0 ? void 0 : inlineValue(value);
	return text === void 0 ? [] : [{
		kind,
		text: quoteBlank(text)
	}];
}
function diffLine({ kind, text }) {
	switch (kind) {
		case "added": return `+ ${text}`;
		case "removed": return `- ${text}`;
		case "context":
		case "gap": return `  ${text}`;
	}
}
function operationLine(change) {
	const { kind, label } = change;
	switch (kind) {
		case "add":
		case "copy": return `+ ${label}`;
		case "remove": return `- ${label}`;
		case "replace":
		case "test":
		case "move": return `! ${label}${movement$1(change)}`;
	}
}
function stateDiagram(moves) {
	const statuses = [...new Set(moves.flatMap(({ from, to }) => [from, to]))];
	const alias = (status) => status === null ? "[*]" : `s${statuses.indexOf(status)}`;
	return fence("mermaid", [
		"stateDiagram-v2",
		"  direction LR",
		...statuses.filter((status) => status !== null).map((status) => `  state "${plainLabel(status)}" as ${alias(status)}`),
		...moves.map(({ from, to, of }) => `  ${alias(from)} --> ${alias(to)}: ${count(of, "contract", "contracts")}`)
	]);
}
function plainLabel(status) {
	return status.replaceAll(/[^\p{L}\p{N} _-]/gu, " ").slice(0, 40);
}
function transitionsBlock(contracts) {
	const moving = contracts.flatMap(({ transition, ...contract }) => transition ? [{
		transition,
		label: contractLabel(contract)
	}] : []);
	if (moving.length === 0) return [];
	const moves = countMoves(moving.map(({ transition }) => transition));
	const header = ["Status", "Contract"];
	const rows = moving.map(({ transition, label }) => [describeMove(transition), code(label)]);
	const counts = moves.map((move) => [describeMove(move), count(move.of, "contract", "contracts")]);
	const title = "### Status transitions";
	const diagram = stateDiagram(moves);
	return [[
		[
			title,
			diagram,
			table$1(header, rows)
		].join("\n\n"),
		[
			title,
			diagram,
			firstRows(header, rows, 50)
		].join("\n\n"),
		[title, table$1(header, counts)].join("\n\n")
	]];
}
function describeMove({ from, to }) {
	return `${from === null ? "none" : code(from)} → **${to === null ? "none" : code(to)}**`;
}
function countMoves(transitions) {
	return [...Map.groupBy(transitions, ({ from, to }) => JSON.stringify([from, to])).values()].flatMap((group) => group.slice(0, 1).map(({ from, to }) => ({
		from,
		to,
		of: group.length
	})));
}
const header$1 = [
	"",
	"Contract",
	"Changes",
	"Version",
	"File"
];
function contractTable(contracts, place) {
	const rows = contracts.map((contract) => [
		verdict(contract),
		code(contractLabel(contract)),
		contract.action === "missing" ? "not in the catalog" : changedFields(contract),
		contract.action === "missing" ? "" : versions$3(contract),
		place(contract.source)
	]);
	return [
		table$1(header$1, rows),
		firstRows(header$1, rows, 100),
		""
	];
}
function verdict(contract) {
	const words = contract.action === "update" ? "update" : `**${contract.action}**`;
	return isBreaking(contract) ? `${words}, **breaking**` : words;
}
function changedFields({ transition, changes }) {
	const fields = Map.groupBy(changes.filter(({ path }) => path !== "/entityStatus"), ({ path }) => path.split("/")[1] ?? "");
	return [...transition ? [describeMove(transition)] : [], ...[...fields].map(([field, edits]) => `${prose(field)}${tally(edits)}`)].join(", ");
}
function tally(edits) {
	const inside = edits.filter(({ path }) => path.split("/").length > 2);
	return [
		["+", ["add", "copy"]],
		["−", ["remove"]],
		["~", [
			"replace",
			"move",
			"test"
		]]
	].map(([sign, kinds]) => ({
		sign,
		of: inside.filter(({ kind }) => kinds.includes(kind)).length
	})).filter(({ of }) => of > 0).map(({ sign, of }) => ` ${sign}${of}`).join("");
}
function versions$3({ liveVersion, predictedVersions }) {
	if (liveVersion === void 0) return "";
	if (predictedVersions.length === 0) return code(liveVersion);
	return `${code(liveVersion)} → ${predictedVersions.join(" or ")}`;
}
function placesBelow(base) {
	return ({ file, line }) => {
		const name = code(`${file}:${line}`);
		return base === void 0 ? name : `[${name}](${base}/${encodePath(file)}#L${line})`;
	};
}
function encodePath(file) {
	return file.toWellFormed().split("/").map((segment) => encodeURIComponent(segment).replaceAll("(", "%28").replaceAll(")", "%29")).join("/");
}
function isTold({ impact }) {
	return impact !== "information";
}
function compareGravity(a, b) {
	return rank$1(a) - rank$1(b);
}
const severities$2 = [
	"error",
	"warning",
	"information"
];
function rank$1({ severity, impact }) {
	return 2 * severities$2.indexOf(severity) + (impact === "breaking" ? 0 : 1);
}
function remarksOn(plan) {
	return [...plan.diagnostics.map((problem) => ({ problem })), ...plan.contracts.flatMap((contract) => contractProblems(contract).filter((problem) => isTold(problem) && !isTableEntry(contract, problem)).map((problem) => ({
		problem,
		contract: contractLabel(contract)
	})))].toSorted((a, b) => compareGravity(a.problem, b.problem));
}
function isTableEntry({ action }, { severity }) {
	return action === "missing" && severity !== "error";
}
const severities$1 = [
	"error",
	"warning",
	"information"
];
function remarksBlock(remarks, place) {
	return [firstOf(remarks.map((remark) => remarkItem(remark, place)), mostItems), countRemarks(remarks)];
}
const mostItems = 100;
function firstOf(items, most) {
	const rest = items.length - most;
	return [...items.slice(0, most), ...rest > 0 ? [`- … and ${rest} more`] : []].join("\n");
}
function countRemarks(remarks) {
	return severities$1.map((severity) => ({
		severity,
		of: remarks.filter(({ problem }) => problem.severity === severity).length
	})).filter(({ of }) => of > 0).map(({ severity, of }) => count(of, words[severity].one, words[severity].many)).join(", ");
}
const words = {
	error: {
		sign: "❌",
		one: "error",
		many: "errors"
	},
	warning: {
		sign: "⚠️",
		one: "warning",
		many: "warnings"
	},
	information: {
		sign: "ℹ️",
		one: "remark",
		many: "remarks"
	}
};
function remarkItem({ problem, contract }, place) {
	const { code: rule, severity, message, hint, source, impact } = problem;
	return `- ${[
		words[severity].sign,
		...impact === "breaking" ? ["**breaking**"] : [],
		...contract === void 0 ? [] : [`${code(contract)}:`],
		prose(message),
		...hint === void 0 ? [] : [prose(hint)],
		...source ? [place(source)] : [],
		`(${code(rule)})`
	].join(" ")}`;
}
function fitBlocks(blocks, budget) {
	const choice = blocks.map((block) => block.length - 1);
	let used = blocks.reduce((sum, block) => sum + size(block.at(-1) ?? ""), 0);
	for (let step = 2; step <= steps(blocks); step += 1) for (const [index, block] of blocks.entries()) {
		const finer = block.length - step;
		const cost = finer < 0 ? 0 : size(block[finer] ?? "") - size(chosen(block, choice[index]));
		if (finer < 0 || used + cost > budget) continue;
		choice[index] = finer;
		used += cost;
	}
	return {
		text: joinWithin(blocks.map((block, index) => chosen(block, choice[index])), budget),
		complete: used <= budget && choice.every((index) => index === 0)
	};
}
function steps(blocks) {
	return blocks.reduce((most, block) => Math.max(most, block.length), 0);
}
function chosen(block, index = 0) {
	return block[index] ?? "";
}
const separator = "\n\n";
function size(text) {
	return text === "" ? 0 : Buffer.byteLength(text) + 2;
}
function joinWithin(texts, budget) {
	let used = 0;
	return texts.filter((text) => {
		if (text === "" || used + size(text) > budget) return false;
		used += size(text);
		return true;
	}).join(separator);
}
function renderReport(verdict, blocks, { budget, title = "contract-sync", notice, rest }) {
	const head = [[`## ${title}: ${verdict}`], ...notice === void 0 ? [] : [[notice]]];
	const ending = `\n\n> [!NOTE]\n> This is not all of it: some details would not fit.${rest === void 0 ? "" : ` ${rest}`}\n`;
	const { text, complete } = fitBlocks([...head, ...blocks], budget - Buffer.byteLength(ending));
	return complete ? `${text}\n` : `${text}${ending}`;
}
function planVerdict({ planHash, summary }) {
	if (planHash === void 0) return "no plan could be made";
	const { update, blocked, missing, transitions, breaking } = summary;
	const parts = [
		...update > 0 ? [`${update} to update`] : [],
		...transitions > 0 ? [count(transitions, "status transition", "status transitions")] : [],
		...breaking > 0 ? [`${breaking} breaking`] : [],
		...blocked > 0 ? [`${blocked} blocked`] : [],
		...missing > 0 ? [`${missing} missing`] : []
	];
	if (update > 0 || blocked > 0) return parts.join(", ");
	return ["no changes", ...parts].join(", ");
}
function planFooter({ planHash, summary, selection }) {
	const { unchanged, unmanaged } = summary;
	const counts = [
		`${unchanged} unchanged`,
		...unmanaged > 0 ? [`${count(unmanaged, "live contract", "live contracts")} without a file, left alone`] : [],
		...selection && selection.leftOut.length > 0 ? [`${count(selection.leftOut.length, "contract", "contracts")} left out of this plan`] : []
	];
	const hash = planHash === void 0 ? [] : [`plan hash \`${planHash}\``];
	return `<sub>${[...counts, ...hash].join(" · ")}</sub>`;
}
function renderPlanMarkdown(plan, options) {
	return renderReport(planVerdict(plan), planBlocks(plan, options), options);
}
function planBlocks(plan, { files, touched, comparison }) {
	const place = placesBelow(files);
	const shown = plan.contracts.filter(needsEyes$1).toSorted((a, b) => rank(a) - rank(b));
	const isAsked = ({ source }) => touched?.has(source.file) ?? true;
	const asked = shown.filter(isAsked);
	const drifted = shown.filter((contract) => !isAsked(contract));
	return [
		...verdictBlocks(plan, place),
		...comparison ? comparisonBlocks(comparison) : [],
		...transitionsBlock(updates(plan)),
		...contractBlocks("### Contracts", asked, place),
		...contractBlocks(driftTitle(drifted), drifted, place),
		...unmanagedBlocks(plan),
		[planFooter(plan)]
	];
}
function needsEyes$1(contract) {
	return contract.action !== "unchanged" && contract.action !== "unmanaged";
}
function rank(contract) {
	const { action } = contract;
	return 2 * [
		"blocked",
		"update",
		"missing"
	].indexOf(action) + (isBreaking(contract) ? 0 : 1);
}
function verdictBlocks(plan, place) {
	const remarks = remarksOn(plan);
	const errors = remarks.filter(({ problem }) => problem.severity === "error");
	return [...plan.errored ? [[`> [!CAUTION]\n> Nothing can be applied: ${countRemarks(errors)}.`]] : [], ...remarks.length > 0 ? [remarksBlock(remarks, place)] : []];
}
const mostOpen = 3;
function contractBlocks(title, contracts, place) {
	if (contracts.length === 0) return [];
	const changing = contracts.filter((contract) => contract.action !== "missing");
	const open = changing.length <= mostOpen;
	return [
		[title],
		contractTable(contracts, place),
		...changing.map((contract) => contractDiff(contract, { open }))
	];
}
function driftTitle({ length }) {
	return `### Drift\n\n${count(length, "contract differs", "contracts differ")} from files that this pull request does not touch: the catalog was edited, or an earlier change was not applied. An apply brings the catalog back to the files.`;
}
const mostUnmanaged = 200;
function unmanagedBlocks({ contracts, summary }) {
	if (summary.unmanaged === 0 || summary.unmanaged > mostUnmanaged) return [];
	const names = contracts.filter(({ action }) => action === "unmanaged").map((contract) => `- ${code(contractLabel(contract))}`);
	if (names.length === 0) return [];
	return [[collapsible(count(names.length, "live contract has no file", "live contracts have no file"), names.join("\n")), ""]];
}
function renderOutcomesMarkdown(plan, outcomes, options) {
	const blocks = [
		...refusalBlocks(outcomes.diagnostics),
		...outcomeBlocks(outcomes),
		...planBlocks(plan, options)
	];
	return renderReport(outcomesVerdict(outcomes), blocks, options);
}
const results$1 = [
	"failed",
	"unverified",
	"stale",
	"skipped",
	"applied",
	"unchanged"
];
const signs = {
	failed: "❌",
	unverified: "⚠️",
	stale: "⚠️",
	skipped: "⚠️",
	applied: "✅",
	unchanged: "✅"
};
function outcomesVerdict({ summary, planHash }) {
	const counts = results$1.filter((result) => summary[result] > 0).map((result) => `${summary[result]} ${result}`);
	if (counts.length > 0) return counts.join(", ");
	return planHash === void 0 ? "nothing was applied" : "nothing to apply";
}
function refusalBlocks(diagnostics) {
	if (diagnostics.length === 0) return [];
	return [[`> [!CAUTION]\n${diagnostics.map(({ message, hint = "" }) => `> ${prose(message)} ${prose(hint)}`.trimEnd()).join("\n")}`, "> [!CAUTION]\n> Nothing was applied."]];
}
function outcomeBlocks({ outcomes }) {
	if (outcomes.length === 0) return [];
	const rows = outcomes.toSorted((a, b) => results$1.indexOf(a.result) - results$1.indexOf(b.result)).map(outcomeRow);
	return [[
		table$1(header, rows),
		firstRows(header, rows, 100),
		""
	]];
}
const header = [
	"",
	"Contract",
	"Version",
	"Reason"
];
function outcomeRow(outcome) {
	const { result, error } = outcome;
	const reason = error ? `${prose(error.message)} ${prose(error.hint ?? "")}`.trimEnd() : "";
	return [
		`${signs[result]} ${result}`,
		code(outcome.fullyQualifiedName ?? outcome.id),
		versions$2(outcome),
		reason
	];
}
function versions$2({ versionBefore, versionAfter }) {
	return [versionBefore, versionAfter].filter((version) => version !== void 0).map(code).join(" → ");
}
function comparePlans(approved, proposed) {
	const before = byId(approved);
	const after = byId(proposed);
	const landed = landedIds(approved, proposed);
	const contracts = [...new Set([...before.keys(), ...after.keys()])].map((id) => compareContract(before.get(id), after.get(id), landed.has(id))).filter((contract) => contract !== void 0).toSorted((a, b) => compareCodeUnits(contractLabel(a), contractLabel(b)));
	return {
		verdict: verdictOn(contracts),
		contracts
	};
}
function byId(plan) {
	return new Map(updates(plan).map((change) => [change.id, change]));
}
function landedIds(approved, proposed) {
	const stateOf = new Map(proposed.contracts.map((contract) => [contract.id, contract]));
	const landed = updates(approved).filter((change) => {
		const now = stateOf.get(change.id);
		return now?.action === "unchanged" && isLater(now, change);
	});
	return new Set(landed.map(({ id }) => id));
}
function isLater(now, then) {
	return now.liveVersion !== then.liveVersion || now.liveUpdatedAt !== then.liveUpdatedAt;
}
function verdictOn(contracts) {
	if (contracts.length === 0) return "same";
	return contracts.every(({ kind }) => kind === "landed") ? "rest" : "different";
}
function compareContract(approved, proposed, isLanded) {
	const kind = kindOf$1(approved, proposed, isLanded);
	const contract = proposed ?? approved;
	if (!contract || !kind) return void 0;
	const { id, fullyQualifiedName } = contract;
	return {
		id,
		...fullyQualifiedName !== void 0 && { fullyQualifiedName },
		kind,
		...versions$1(approved?.liveVersion, proposed?.liveVersion),
		operations: compareOperations(approved?.patch ?? [], proposed?.patch ?? [])
	};
}
function versions$1(approvedVersion, proposedVersion) {
	return {
		...approvedVersion !== void 0 && { approvedVersion },
		...proposedVersion !== void 0 && { proposedVersion }
	};
}
function kindOf$1(approved, proposed, isLanded) {
	if (!approved) return "new";
	if (!proposed) return isLanded ? "landed" : "gone";
	if (canonicalJson(approved.patch) !== canonicalJson(proposed.patch)) return "changed";
	return approved.liveVersion === proposed.liveVersion ? void 0 : "moved";
}
function compareOperations(approved, proposed) {
	const left = [...approved];
	const take = (matches) => {
		const index = left.findIndex(matches);
		return index < 0 ? void 0 : left.splice(index, 1)[0];
	};
	const equal = new Set(proposed.filter((operation) => take((other) => isEqual(other, operation)) !== void 0));
	return [...proposed.map((operation) => {
		if (equal.has(operation)) return {
			kind: "same",
			operation
		};
		const approved = take(({ path }) => path === operation.path);
		return approved ? {
			kind: "changed",
			approved,
			operation
		} : {
			kind: "new",
			operation
		};
	}), ...left.map((operation) => ({
		kind: "gone",
		operation
	}))];
}
function isEqual(a, b) {
	return canonicalJson(a) === canonicalJson(b);
}
function formatVersion$1(version) {
	const text = String(version);
	return /^\d+$/u.test(text) ? `${text}.0` : text;
}
const majorFields = new Set([
	"entityStatus",
	"schema",
	"entity"
]);
function predictVersions(version, changedFields) {
	const current = Number(version);
	if (!Number.isFinite(current)) return [];
	const kinds = new Set();
	for (const field of changedFields) kinds.add(majorFields.has(field) ? "major" : "minor");
	return ["minor", "major"].filter((kind) => kinds.has(kind)).map((kind) => formatVersion$1(bump[kind](current)));
}
const bump = {
	minor: (version) => (Math.round(version * 10) + 1) / 10,
	major: (version) => Math.floor(version) + 1
};
function isWhole(contract) {
	return contract.document !== void 0;
}
function headOf(contract) {
	const { version: _version, updatedAt: _updatedAt, document: _document, ...head } = contract;
	return head;
}
const headMembers = Object.keys({
	id: true,
	name: true,
	fullyQualifiedName: true,
	entity: true,
	entityStatus: true
});
function parseLiveContract(document) {
	if (!isObject$1(document) || typeof document["id"] !== "string") return void 0;
	const { id, version, updatedAt, entity } = document;
	return {
		id,
		...textMembers(document, [
			"name",
			"fullyQualifiedName",
			"entityStatus"
		]),
		...isObject$1(entity) && { entity: parseEntity(entity) },
		...(typeof version === "number" || typeof version === "string") && { version: formatVersion$1(version) },
		...typeof updatedAt === "number" && { updatedAt },
		document
	};
}
function parseEntity(entity) {
	return textMembers(entity, [
		"id",
		"type",
		"name",
		"fullyQualifiedName"
	]);
}
function textMembers(object, names) {
	const members = {};
	for (const name of names) {
		const value = object[name];
		if (typeof value === "string") members[name] = value;
	}
	return members;
}
function refuseDuplicates(contracts) {
	const claimed = new Map();
	const diagnostics = [];
	return {
		contracts: contracts.filter(({ identity, source }) => {
			const keys = keysOf(identity);
			const first = keys.map((key) => claimed.get(key)).find((place) => place !== void 0);
			if (first) diagnostics.push(duplicateClaim(source, first));
			else for (const key of keys) claimed.set(key, source);
			return !first;
		}),
		diagnostics
	};
}
function keysOf(identity) {
	return identityKinds.flatMap((kind) => {
		const key = identityKey$1(kind, identity);
		return key === void 0 ? [] : [`${kind} ${key}`];
	});
}
function duplicateClaim(source, first) {
	return {
		code: "duplicate-contract",
		severity: "error",
		message: `This is the same contract as the one at ${first.file}:${first.line}:${first.column}.`,
		hint: "Keep one of the two: a contract has one file.",
		source
	};
}
function desiredContract(document, { file, text }, locate) {
	const { fields, index, place } = document;
	return {
		identity: identityOf(fields),
		managed: managedOf(fields),
		source: {
			file,
			...place
		},
		locate: (pointer) => pointer.length < 2 ? {
			file,
			...fieldPlace(document, pointer)
		} : locate({
			file,
			text,
			index
		}, pointer)
	};
}
function fieldPlace({ place, fieldPlaces }, [field]) {
	return (field !== void 0 && Object.hasOwn(fieldPlaces, field) ? fieldPlaces[field] : void 0) ?? place;
}
function identityOf(fields) {
	const { entity } = fields;
	return {
		...textMembers(fields, [
			"id",
			"fullyQualifiedName",
			"name"
		]),
		...isObject$1(entity) && { entity: entityOf(entity) }
	};
}
function entityOf(entity) {
	return textMembers(entity, [
		"id",
		"type",
		"name",
		"fullyQualifiedName"
	]);
}
function managedOf(fields) {
	const managed = managedFields.filter((field) => Object.hasOwn(fields, field));
	return Object.fromEntries(managed.map((field) => [field, fields[field] ?? null]));
}
function toDiagnostic(file, lines, finding) {
	const { offset, ...problem } = finding;
	return {
		...problem,
		source: {
			file,
			...lines.place(offset)
		}
	};
}
const longestQuote = 60;
function quote$1(text) {
	return `"${printable(text, longestQuote)}"`;
}
function printable(text, longest = 160) {
	return (text.length > longest ? `${text.slice(0, longest).toWellFormed()}…` : text).replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, escapeCharacter);
}
function escapeCharacter(character) {
	return `\\u{${character.codePointAt(0)?.toString(16)}}`;
}
function parseGlob(text) {
	const segments = text.split("/");
	const magic = segments.findIndex((segment) => /[*?[\]{}()]/u.test(segment));
	if (magic === -1) return void 0;
	return {
		folder: segments.slice(0, magic).join("/"),
		pattern: segments.slice(magic).join("/")
	};
}
const longestGlob = 1e3;
const mostAlternatives = 1e3;
function isTooComplex(glob) {
	return glob.length > longestGlob || /\{[^{}]*\.\./u.test(glob) || alternatives(glob) > mostAlternatives;
}
function alternatives(glob) {
	const open = [];
	let product = 1;
	for (const character of glob) if (character === "{") open.push(1);
	else if (character === ",") open.push((open.pop() ?? 0) + 1);
	else if (character === "}") product *= open.pop() ?? 1;
	return product;
}
function globTooComplex(glob) {
	return {
		code: "glob-too-complex",
		severity: "error",
		message: `The glob ${quote$1(glob)} stands for too many patterns.`,
		hint: `Use fewer braces, no ranges, and at most ${longestGlob} characters; or give several globs.`
	};
}
function obstacleOf(file, error) {
	const code = error instanceof Error && "code" in error ? error.code : void 0;
	if (code === "ELOOP") return {
		file,
		kind: "link-loop"
	};
	return {
		file,
		kind: nothingThere.has(code) ? "not-found" : "not-readable"
	};
}
const nothingThere = new Set([
	"ENOENT",
	"ENOTDIR",
	"ENAMETOOLONG",
	"ERR_INVALID_ARG_VALUE"
]);
const sentences$1 = {
	"link-outside-root": {
		message: "This symbolic link leads out of the folder that contracts are read from.",
		hint: "Copy what it points to, or leave the link out with `contracts.exclude`."
	},
	"link-loop": {
		message: "This symbolic link leads back to itself or to a folder that it stands in.",
		hint: "Remove the link, or leave it out with `contracts.exclude`."
	},
	"not-found": {
		message: "There is no such file, or it is a symbolic link to nothing.",
		hint: "Correct the path, or remove the link."
	},
	"file-too-large": {
		message: `The file is larger than 1048576 bytes, which no contract needs.`,
		hint: "Split it, or leave it out with `contracts.exclude`."
	},
	"not-readable": {
		message: "This could not be read.",
		hint: "Check its permissions."
	}
};
function obstacleDiagnostic({ file, kind }) {
	return {
		code: kind,
		severity: "error",
		...sentences$1[kind],
		source: {
			file,
			line: 1,
			column: 1
		}
	};
}
function walk$1(request) {
	const files = new Map();
	const state = {
		...request,
		files,
		obstacles: [],
		visited: new Set(),
		links: []
	};
	visitPath({
		file: request.start,
		folder: {
			file: "",
			real: ""
		}
	}, state);
	for (let link = state.links.pop(); link; link = state.links.pop()) visitPath(link, state);
	return {
		files,
		obstacles: state.obstacles
	};
}
function visitFolder(folder, state) {
	if (state.visited.has(folder.real)) return;
	state.visited.add(folder.real);
	for (const entry of readFolder(folder, state)) {
		if (isSkipped(entry.name)) continue;
		const file = folder.file === "" ? entry.name : `${folder.file}/${entry.name}`;
		if (!state.isExcluded(file)) visitEntry(entry, file, folder, state);
	}
}
function visitEntry(entry, file, folder, state) {
	const real = `${folder.real}${sep}${entry.name}`;
	if (entry.isDirectory()) visitFolder({
		file,
		real
	}, state);
	else if (entry.isSymbolicLink()) state.links.push({
		file,
		folder
	});
	else if (entry.isFile() && state.matches(file)) state.files.set(real, file);
}
function readFolder({ file }, state) {
	try {
		return readdirSync(resolve(state.root, file), { withFileTypes: true });
	} catch (error) {
		state.obstacles.push(obstacleOf(file, error));
		return [];
	}
}
function visitPath({ file, folder }, state) {
	try {
		const real = realpathSync(resolve(state.root, file));
		const target = statSync(real);
		if (target.isDirectory()) followToFolder({
			file,
			real
		}, folder, state);
		else if (target.isFile() && state.matches(file)) followToFile({
			file,
			real
		}, state);
	} catch (error) {
		const obstacle = obstacleOf(file, error);
		if (obstacle.kind !== "not-found" || state.matches(file)) state.obstacles.push(obstacle);
	}
}
function followToFolder(target, from, state) {
	if (!isWithin(target.real, realpathSync(state.outermost))) state.obstacles.push({
		file: target.file,
		kind: "link-outside-root"
	});
	else if (isWithin(from.real, target.real)) state.obstacles.push({
		file: target.file,
		kind: "link-loop"
	});
	else visitFolder(target, state);
}
function followToFile({ file, real }, state) {
	if (!isWithin(real, realpathSync(state.outermost))) state.obstacles.push({
		file,
		kind: "link-outside-root"
	});
	else if (!state.files.has(real)) state.files.set(real, file);
}
function isWithin(path, folder) {
	return path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
}
function isSkipped(name) {
	return name.startsWith(".") || name === "node_modules";
}
function findFiles({ root, include, exclude, allowEmpty }) {
	const files = new Map();
	const diagnostics = [...include, ...exclude].filter(isTooComplex).map(globTooComplex);
	const excluded = exclude.filter((glob) => !isTooComplex(glob)).map((glob) => relativeName(glob, root));
	const isExcluded = (file) => excluded.some((glob) => matchesGlob(file, glob));
	const ifNothing = allowEmpty ? "warning" : "error";
	for (const name of include.filter((glob) => !isTooComplex(glob))) {
		const found = findIncluded(name, {
			root,
			isExcluded,
			ifNothing
		});
		for (const [real, file] of found.files) if (!files.has(real)) files.set(real, file);
		diagnostics.push(...found.diagnostics);
	}
	return {
		files: [...files.values()].toSorted(compareCodeUnits),
		diagnostics
	};
}
function findIncluded(include, { root, isExcluded, ifNothing }) {
	const start = include === "" ? void 0 : startOf(relativeName(include, root), root);
	if (!start) return {
		files: new Map(),
		diagnostics: [pathNotFound(include, ifNothing)]
	};
	if (ancestry(start.name).some(isExcluded)) return {
		files: new Map(),
		diagnostics: []
	};
	const prefix = start.name === "" ? 0 : start.name.length + 1;
	const matches = (file) => start.isFile || matchesGlob(file.slice(prefix), start.pattern);
	const outermost = start.name.startsWith("..") ? resolve(root, start.name) : root;
	const { files, obstacles } = walk$1({
		root,
		start: start.name,
		outermost,
		matches,
		isExcluded
	});
	if (files.size + obstacles.length === 0) return {
		files,
		diagnostics: [nothingMatches(include, ifNothing)]
	};
	return {
		files,
		diagnostics: obstacles.map(obstacleDiagnostic)
	};
}
function startOf(name, root) {
	const kind = kindOf(resolve(root, name));
	if (kind !== "nothing") return {
		name,
		isFile: kind === "file",
		pattern: "**/*.{yaml,yml}"
	};
	const glob = parseGlob(name);
	if (!glob || kindOf(resolve(root, glob.folder)) === "nothing") return void 0;
	return {
		name: glob.folder,
		isFile: false,
		pattern: glob.pattern
	};
}
function kindOf(path) {
	try {
		return statSync(path).isFile() ? "file" : "other";
	} catch (error) {
		return obstacleOf("", error).kind === "not-found" ? "nothing" : "other";
	}
}
function relativeName(path, root) {
	return relative(root, resolve(root, path)).split(sep).join("/");
}
function ancestry(name) {
	const segments = name.split("/");
	return segments.map((_segment, index) => segments.slice(0, index + 1).join("/"));
}
function pathNotFound(include, severity) {
	const glob = parseGlob(include);
	return {
		code: "path-not-found",
		severity,
		message: glob ? `There is no folder ${quote$1(glob.folder)}, where files that match ${quote$1(include)} would be.` : `There is no file or folder ${quote$1(include)}.`,
		hint: "Paths are relative to the folder that the program runs in."
	};
}
function nothingMatches(include, severity) {
	return {
		code: "nothing-matches",
		severity,
		message: `No contract file matches ${quote$1(include)}.`,
		hint: "A folder is searched for *.yaml and *.yml; node_modules and names with a dot in front are skipped."
	};
}
function guess(files, root, keys) {
	const unseen = new Set(keys);
	const identities = new Set();
	for (const file of files) {
		const text = peek(resolve(root, file));
		for (const key of unseen) if (looksLikeKey(text, key)) unseen.delete(key);
		for (const { groups } of text.matchAll(identityKey).take(mostIdentities)) addValues(groups?.["value"] ?? "", identities);
	}
	return {
		keys: keys.filter((key) => !unseen.has(key)),
		identities
	};
}
const mostIdentities = 1e4;
function peek(path) {
	try {
		return statSync(path).size > 1048576 ? "" : readFileSync(path, "utf8").replace(/^\uFEFF/u, "");
	} catch {
		return "";
	}
}
function looksLikeKey(text, key) {
	const pattern = `(?:^|[{,])[ \\t]*["']?${key}["']?[ \\t]*:`;
	return text.includes(key) && new RegExp(pattern, "mu").test(text);
}
const identityKey = /(?:^|[{,])[ \t]*["']?(?:id|fullyQualifiedName)["']?[ \t]*:[ \t]*(?=(?<value>.{1,1000}))/gmu;
function addValues(rest, values) {
	const line = rest.replace(/[ \t]#.*/u, "");
	for (const value of [line, line.replace(/[,}].*/u, "")]) values.add(Buffer.from(unquote(value.trim())).toString());
}
function unquote(value) {
	if (/^'.*'$/u.test(value)) return value.slice(1, -1).replaceAll("''", "'");
	if (!/^".*"$/u.test(value)) return value;
	try {
		return String(JSON.parse(value));
	} catch {
		return value;
	}
}
const none$1 = new Map();
function resolveAliases(document, text) {
	if (!text.includes("*")) return none$1;
	const anchored = new Map();
	const targets = new Map();
	visit$1(document, { Node: (_key, node) => {
		if (!isAlias(node)) {
			if (node.anchor !== void 0) anchored.set(node.anchor, node);
			return;
		}
		const target = anchored.get(node.source);
		if (target) targets.set(node, target);
	} });
	return targets;
}
function dereference(node, targets) {
	return isAlias(node) ? targets.get(node) : node;
}
function isMergeKey(key) {
	return isScalar(key) && key.value === "<<" && key.type === "PLAIN";
}
function mergedMaps(value, targets) {
	const source = dereference(value, targets);
	const maps = (isSeq(source) ? source.items : [source]).map((item) => dereference(item, targets));
	return maps.every((map) => isMap(map)) ? maps : void 0;
}
function offsetOf(node) {
	return isNode(node) ? node.range?.[0] ?? 0 : 0;
}
function locateValue(document, pointer, targets) {
	const { key, value } = descend(document, pointer, targets);
	return offsetOf(value ?? key);
}
function locateKey(document, pointer, targets) {
	return offsetOf(descend(document, pointer, targets).key);
}
function descend(document, pointer, targets) {
	let place = {
		key: document.contents,
		value: document.contents
	};
	for (const token of pointer) {
		const child = childOf(place.value, token, targets);
		if (!child) break;
		place = child;
	}
	return place;
}
function childOf(node, token, targets) {
	if (isMap(node)) return memberOf(node, token, targets, new Set());
	if (!isSeq(node) || !/^\d+$/u.test(token)) return void 0;
	const item = dereference(node.items[Number(token)], targets);
	return item === void 0 ? void 0 : {
		key: item,
		value: item
	};
}
function memberOf(map, name, targets, seen) {
	const own = map.items.find(({ key }) => !isMergeKey(key) && keyName(key, targets) === name);
	if (own) return {
		key: own.key,
		value: dereference(own.value, targets)
	};
	seen.add(map);
	return map.items.filter(({ key }) => isMergeKey(key)).flatMap(({ value }) => mergedMaps(value, targets) ?? []).filter((merged) => !seen.has(merged)).map((merged) => memberOf(merged, name, targets, seen)).find((place) => place !== void 0);
}
function keyName(key, targets) {
	const target = dereference(key, targets);
	return isScalar(target) ? target.value : void 0;
}
const mostTokens = 2e5;
const mostAliasedValues = 1e5;
const escape = /\\(?:[0abtnvfre "/\\N_LP\t\r\n]|x[\da-f]{2}|u[\da-f]{4}|U[\da-f]{8})/giu;
function badEscapes(lexeme) {
	if (!lexeme.startsWith("\"") || !lexeme.includes("\\")) return 0;
	return lexeme.replaceAll(escape, "").split("\\").length - 1;
}
function tooDeep(offset) {
	return {
		code: "nesting-too-deep",
		severity: "error",
		message: `Lists and mappings nest more than 100 deep here.`,
		hint: "Flatten the value: no contract needs that depth.",
		offset
	};
}
function tooManyTokens(offset) {
	return {
		code: "file-too-complex",
		severity: "error",
		message: `The file holds more than ${mostTokens} YAML tokens, so it is not read any further.`,
		hint: "Split it: a file may hold one contract.",
		offset
	};
}
function tooManyBadEscapes(offset) {
	return {
		code: "too-many-problems",
		severity: "error",
		message: `The text that starts here has more than 100 backslashes that begin no escape.`,
		hint: "Quote it with single quotes, where a backslash is a backslash.",
		offset
	};
}
function tooManyAliased(offset) {
	return {
		code: "too-many-aliases",
		severity: "error",
		message: `The aliases of this document stand for more than ${mostAliasedValues} values.`,
		hint: "Write the values out, or split the document.",
		offset
	};
}
function linesOf(text) {
	let starts;
	return { place: (offset) => {
		starts ??= lineStarts(text);
		const within = Math.min(offset, text.length);
		const line = lastNotAfter(starts, within);
		return {
			line: line + 1,
			column: within - (starts[line] ?? 0) + 1
		};
	} };
}
function lineStarts(text) {
	const starts = [0];
	for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", end + 1)) starts.push(end + 1);
	return starts;
}
function lastNotAfter(ascending, limit) {
	let low = 0;
	let high = ascending.length;
	while (high - low > 1) {
		const middle = Math.floor((low + high) / 2);
		if ((ascending[middle] ?? 0) <= limit) low = middle;
		else high = middle;
	}
	return low;
}
const options = {
	schema: new Schema({
		schema: "core",
		merge: false,
		resolveKnownTags: false
	}),
	prettyErrors: false,
	uniqueKeys: false
};
function parseYaml(text) {
	const lines = linesOf(text);
	return withoutStacks(() => {
		const composer = new Composer(options);
		const documents = [];
		const excess = parseTokens(text, (token) => documents.push(...composer.next(token)));
		if (excess) return {
			documents: [],
			lines,
			findings: [excess]
		};
		documents.push(...composer.end());
		return {
			documents,
			lines,
			findings: []
		};
	});
}
function parseTokens(text, emit) {
	const lexemes = lexemesOf(text);
	const isTooLong = lexemes.length > mostTokens;
	const parser = new Parser();
	let errors = 0;
	for (const lexeme of isTooLong ? lexemes.slice(0, tokensOfAGlance) : lexemes) {
		for (const token of parser.next(lexeme)) {
			emit(token);
			if (token.type === "error") errors += 1;
		}
		if (parser.stack.length > 102) return tooDeep(parser.offset);
		if (errors > 100) break;
		if (badEscapes(lexeme) > 100) return tooManyBadEscapes(parser.offset - lexeme.length);
	}
	if (isTooLong && errors <= 100) return tooManyTokens(endOf$2(lexemes));
	for (const token of parser.end()) emit(token);
}
const tokensOfAGlance = 1e4;
function lexemesOf(text) {
	const lexemes = [];
	for (const lexeme of new Lexer().lex(text)) {
		lexemes.push(lexeme);
		if (lexemes.length > 2e5) break;
	}
	return lexemes;
}
const marks = new Set([
	"",
	"",
	""
]);
function endOf$2(lexemes) {
	return lexemes.reduce((end, lexeme) => marks.has(lexeme) ? end : end + lexeme.length, 0);
}
function withoutStacks(compute) {
	const { stackTraceLimit } = Error;
	Error.stackTraceLimit = 0;
	try {
		return compute();
	} finally {
		Error.stackTraceLimit = stackTraceLimit;
	}
}
function createLocator() {
	const parse = rememberLatest(parseYaml);
	return ({ file, text, index }, pointer) => {
		const { documents, lines } = parse(text);
		const document = documents[index];
		if (!document) return {
			file,
			line: 1,
			column: 1
		};
		const offset = locateValue(document, pointer, resolveAliases(document, text));
		return {
			file,
			...lines.place(offset)
		};
	};
}
const mostRemembered = {
	length: 2 ** 21,
	count: 64
};
function rememberLatest(compute) {
	const results = new Map();
	let length = 0;
	return (text) => {
		const known = results.get(text);
		const result = known ?? compute(text);
		if (known === void 0) length += text.length;
		results.delete(text);
		results.set(text, result);
		for (const [oldest] of results) {
			if (length <= mostRemembered.length && results.size <= mostRemembered.count) break;
			results.delete(oldest);
			length -= oldest.length;
		}
		return result;
	};
}
function threadProgram(name, startedBy) {
	return [
		`./${name}.ts`,
		`./${name}.js`,
		`../${name}.js`
	].map((path) => fileURLToPath(new URL(path, startedBy.url))).find((path) => existsSync(path));
}
function startThread(program, workerData) {
	try {
		return new Worker(program, { workerData });
	} catch {
		return;
	}
}
function syntaxFindings(document, text) {
	if (document.errors.length > 0 && conflictMarker.test(text)) return [mergeConflict(text)];
	return [...lastOfEachMistake(document.errors.map((error) => errorFinding(error, document, text))), ...document.warnings.map((warning) => warningFinding(warning, text))];
}
function lastOfEachMistake(errors) {
	return [...new Map(errors.map((error) => [`${error.offset} ${error.code}`, error])).values()];
}
const conflictMarker = /^<{7} /mu;
function mergeConflict(text) {
	return {
		code: "merge-conflict",
		severity: "error",
		message: "A merge conflict of git stands here unresolved.",
		hint: "Resolve it, and remove the lines of <, = and >.",
		offset: text.search(conflictMarker)
	};
}
const sentences = [
	[/^Tabs are not allowed/u, {
		code: "tab-indentation",
		message: "A tab indents this line, and YAML allows only spaces there.",
		hint: "Replace the tab by spaces."
	}],
	[/must be sufficiently indented and end with a/u, {
		code: "yaml-unclosed",
		message: "A [ or { before this is not closed, or what it holds is indented too little.",
		hint: "Close it, and indent its lines deeper than the key that it belongs to."
	}],
	[/^Nested mappings are not allowed in compact mappings/u, {
		code: "yaml-colon-in-value",
		message: "This value holds a colon and a space, so it reads as a key of its own.",
		hint: "Quote the value."
	}],
	[/must start at the same column|^A block sequence may not be used as an implicit map key/u, {
		code: "yaml-indentation",
		message: "This line does not line up with the lines that it belongs with.",
		hint: "Indent all keys of a mapping, and all items of a list, by the same number of spaces."
	}],
	[/^Implicit keys need to be on a single line/u, {
		code: "yaml-syntax",
		message: "This reads as a key that goes on over several lines.",
		hint: "Look for a missing colon or quote, or for a next line that is indented too deep."
	}],
	[/^Implicit map keys need to be followed by map values/u, {
		code: "yaml-syntax",
		message: "A key is expected here, and no colon and space follows it.",
		hint: "Write `key: value`."
	}],
	[/^Plain value cannot start with/u, {
		code: "yaml-syntax",
		message: "This value starts with a sign that YAML keeps for itself.",
		hint: "Quote the value."
	}],
	[/^Invalid escape sequence/u, {
		code: "yaml-syntax",
		message: "A backslash stands here that begins no escape of YAML.",
		hint: "Quote it with single quotes, where a backslash is a backslash."
	}]
];
function errorFinding(error, document, text) {
	const { code, message, pos } = error;
	if (code === "TAG_RESOLVE_FAILED") return unknownTag(error, text);
	if (message.startsWith("Missing closing")) return unclosedQuote(document, pos[0]);
	return {
		...sentences.find(([pattern]) => pattern.test(message))?.[1] ?? {
			code: "yaml-syntax",
			message: `This is not valid YAML: ${printable(message)}.`,
			hint: "Look at this line and the one above; quote text that holds signs of YAML."
		},
		severity: "error",
		offset: pos[0]
	};
}
function warningFinding(warning, text) {
	if (warning.code === "TAG_RESOLVE_FAILED") return unknownTag(warning, text);
	return {
		code: "yaml-warning",
		severity: "warning",
		message: `${printable(warning.message)}.`,
		hint: "Remove or quote it: another YAML tool may read the file differently.",
		offset: warning.pos[0]
	};
}
function unknownTag({ pos }, text) {
	return {
		code: "unknown-tag",
		severity: "error",
		message: `The tag ${quote$1(text.slice(...pos))} has no meaning for this value in a contract.`,
		hint: "Remove the tag: a contract holds text, numbers, booleans, null, lists and mappings.",
		offset: pos[0]
	};
}
function unclosedQuote(document, end) {
	let offset = end;
	visit$1(document, { Scalar: (_key, node) => {
		const range = isScalar(node) ? node.range : void 0;
		if (range && range[0] <= end && range[1] >= end) offset = range[0];
	} });
	return {
		code: "yaml-unclosed",
		severity: "error",
		message: "The quote that opens here is never closed.",
		hint: "Close it, or double the quotes inside of a single-quoted text.",
		offset
	};
}
const forbiddenKeys = new Set(["__proto__", "constructor"]);
function keyText(key, targets, report) {
	const target = dereference(key, targets);
	if (!isScalar(target) || typeof target.value !== "string") {
		report(nonStringKey(key, isScalar(target) ? target.value : void 0));
		return;
	}
	if (forbiddenKeys.has(target.value)) {
		report(forbiddenKey(target.value, key));
		return;
	}
	return target.value;
}
function nonStringKey(key, value) {
	const scalar = typeof value === "number" || typeof value === "boolean";
	return {
		code: "non-string-key",
		severity: "error",
		message: scalar ? `The key ${value} is a ${typeof value}, and the keys of JSON are text.` : "This key is no text, and the keys of JSON are text.",
		hint: scalar ? `Quote it: "${value}".` : "Write a plain or a quoted word as the key.",
		offset: offsetOf(key)
	};
}
function forbiddenKey(name, key) {
	return {
		code: "forbidden-key",
		severity: "error",
		message: `The key ${quote$1(name)} is refused, because it can harm programs that read it.`,
		hint: "Rename it.",
		offset: offsetOf(key)
	};
}
function duplicateKey(name, key, firstLine) {
	return {
		code: "duplicate-key",
		severity: "error",
		message: `The key ${quote$1(name)} stands here a second time; the first is on line ${firstLine}.`,
		hint: "Remove one of the two.",
		offset: offsetOf(key)
	};
}
function mergeOfNoMapping(value) {
	return {
		code: "merge-of-no-mapping",
		severity: "error",
		message: "The merge key << takes a mapping or a list of mappings, and this is neither.",
		hint: "Quote the key, \"<<\", if it is meant as text.",
		offset: offsetOf(value)
	};
}
function scalarValue(scalar, report) {
	const { value } = scalar;
	if (typeof value === "number") return numberValue(value, scalar, report);
	if (typeof value === "string" || typeof value === "boolean") return value;
	return null;
}
function numberValue(value, scalar, report) {
	const text = scalar.source ?? String(value);
	if (!Number.isFinite(value)) {
		report(notFinite(text, offsetOf(scalar)));
		return null;
	}
	if (isInteger(text) && !Number.isSafeInteger(value)) {
		report(integerTooLarge(text, offsetOf(scalar)));
		return null;
	}
	if (/^[-+]?0\d/u.test(text)) report(leadingZero(text, value, offsetOf(scalar)));
	return value === 0 ? 0 : value;
}
function isInteger(text) {
	return /^(?:[-+]?\d+|0o[0-7]+|0x[\da-f]+)$/iu.test(text);
}
function notFinite(text, offset) {
	return {
		code: "number-not-finite",
		severity: "error",
		message: `The number ${quote$1(text)} is no number that JSON can hold.`,
		hint: "Quote it if it is meant as text.",
		offset
	};
}
function integerTooLarge(text, offset) {
	return {
		code: "integer-too-large",
		severity: "error",
		message: `The integer ${quote$1(text)} is past 2^53 - 1, so JSON readers would round it.`,
		hint: "Quote it to keep all of its digits.",
		offset
	};
}
function leadingZero(text, value, offset) {
	return {
		code: "leading-zero",
		severity: "warning",
		message: `The number ${text} is read as ${value}; older YAML tools read it as octal.`,
		hint: "Drop the leading zero, or quote it if it is meant as text.",
		offset
	};
}
function toJson(document, targets, lines) {
	const findings = [];
	const report = (finding) => findings.push(finding);
	const walk = {
		targets,
		lines,
		report,
		following: [],
		aliasedValues: 0,
		depth: 0
	};
	return {
		value: convert(document.contents, walk),
		findings
	};
}
function convert(node, walk) {
	if (isAlias(node)) return convertAlias(node, walk);
	if (walk.following.length > 0 && !affordsAliased(walk)) return null;
	if (isScalar(node)) return scalarValue(node, walk.report);
	if (isMap(node)) return nested(node, walk, () => convertMap(node, walk));
	if (isSeq(node)) return nested(node, walk, () => node.items.map((item) => convert(item, walk)));
	return null;
}
function nested(node, walk, convertItems) {
	if (walk.depth >= 100) {
		walk.report(tooDeep(offsetOf(walk.following[0] ?? node)));
		return null;
	}
	walk.depth += 1;
	const value = convertItems();
	walk.depth -= 1;
	return value;
}
function convertMap(map, walk) {
	const members = {};
	const merged = [];
	const places = new Map();
	for (const { key, value } of map.items) {
		if (isMergeKey(key)) {
			merged.push(...convertMerge(value, walk));
			continue;
		}
		const name = keyText(key, walk.targets, walk.report);
		if (name === void 0) continue;
		const first = places.get(name);
		if (first !== void 0) walk.report(duplicateKey(name, key, walk.lines.place(first).line));
		else places.set(name, offsetOf(key));
		members[name] = convert(value, walk);
	}
	return merged.length === 0 ? members : Object.assign({}, ...merged.toReversed(), members);
}
function convertMerge(value, walk) {
	const source = convert(value, walk);
	if (!mergedMaps(value, walk.targets)) walk.report(mergeOfNoMapping(value));
	return (isArray(source) ? source : [source]).filter(isObject$1);
}
function convertAlias(alias, walk) {
	const target = walk.targets.get(alias);
	const outermost = walk.following[0] ?? alias;
	if (!target) walk.report(unknownAnchor(alias));
	else if (walk.following.some((open) => walk.targets.get(open) === target)) walk.report(recursiveAlias(outermost));
	else {
		walk.following.push(alias);
		const value = convert(target, walk);
		walk.following.pop();
		return value;
	}
	return null;
}
function affordsAliased(walk) {
	walk.aliasedValues += 1;
	if (walk.aliasedValues === 1e5 + 1) walk.report(tooManyAliased(offsetOf(walk.following[0])));
	return walk.aliasedValues <= mostAliasedValues;
}
function unknownAnchor(alias) {
	return {
		code: "unknown-anchor",
		severity: "error",
		message: `No anchor stands before this alias ${quote$1(alias.source)}.`,
		hint: "Anchors do not reach from one document to the next.",
		offset: offsetOf(alias)
	};
}
function recursiveAlias(alias) {
	return {
		code: "recursive-alias",
		severity: "error",
		message: `This alias ${quote$1(alias.source)} stands inside of what it stands for, so it has no end.`,
		hint: "Write out what is meant, without the alias.",
		offset: offsetOf(alias)
	};
}
function readDocument(document, text, yaml, check) {
	const offset = offsetOf(document.contents);
	const syntax = syntaxFindings(document, text);
	if (document.errors.length > 0 || isEmpty$1(document)) return {
		offset,
		locate: () => offset,
		findings: syntax
	};
	const targets = resolveAliases(document, text);
	const { value, findings: unfit } = toJson(document, targets, yaml.lines);
	const shape = check(value).map((problem) => placed(problem, document, targets)).filter((finding) => unfit.every((known) => known.offset !== finding.offset));
	const findings = [
		...syntax,
		...unfit,
		...shape
	];
	return {
		offset,
		locate: (pointer) => locateValue(document, pointer, targets),
		findings,
		...isObject$1(value) && !hasError(findings) && { fields: value }
	};
}
function isEmpty$1({ contents }) {
	return contents === null || isScalar(contents) && contents.source === "";
}
function hasError(findings) {
	return findings.some(({ severity }) => severity === "error");
}
function placed({ pointer, atKey, ...problem }, document, targets) {
	const locate = atKey ? locateKey : locateValue;
	return {
		severity: "error",
		...problem,
		offset: locate(document, pointer, targets)
	};
}
function identityProblems(document) {
	return [...notUuids(document), ...unfitQualifiedNames(document)];
}
const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/iu;
function notUuids({ id, entity }) {
	return [...notUuid(id, ["id"]), ...notUuid(isObject$1(entity) ? entity["id"] : void 0, ["entity", "id"])];
}
function notUuid(id, pointer) {
	if (typeof id !== "string" || id.trim() === "" || uuid.test(id)) return [];
	return [{
		code: "id-not-uuid",
		severity: "warning",
		message: `${quote$1(id)} is no UUID, and the identifiers of a catalog are.`,
		hint: "Copy the identifier from the catalog, or leave it out and give the qualified name.",
		pointer
	}];
}
function unfitQualifiedNames({ fullyQualifiedName, entity }) {
	if (!isObject$1(entity) || typeof entity["fullyQualifiedName"] !== "string") return [];
	const owner = entity["fullyQualifiedName"];
	return [...notBelow(fullyQualifiedName, owner), ...notNamed(owner, entity["name"])];
}
function notBelow(name, owner) {
	if (typeof name !== "string" || name === owner || name.startsWith(`${owner}.`)) return [];
	return [{
		code: "qualified-name-unfit",
		severity: "warning",
		message: `The contract's name ${quote$1(name)} does not start with its entity's, ${quote$1(owner)}.`,
		hint: "Correct one of the two, or leave one out.",
		pointer: ["fullyQualifiedName"]
	}];
}
function notNamed(owner, name) {
	if (typeof name !== "string" || `.${owner}`.endsWith(`.${name}`)) return [];
	if (owner.endsWith(`"${name}"`)) return [];
	return [{
		code: "qualified-name-unfit",
		severity: "warning",
		message: `The entity's qualified name ${quote$1(owner)} does not end with its name, ${quote$1(name)}.`,
		hint: "Correct one of the two, or leave one out.",
		pointer: ["entity", "fullyQualifiedName"]
	}];
}
function sectionProblems(document) {
	return [
		...unreadableRules(document),
		...duplicateNames(document, "schema", (name) => name.toLowerCase()),
		...duplicateNames(document, "semantics", (name) => name)
	];
}
function unreadableRules({ semantics }) {
	return membersOf(semantics, "rule").filter(({ value }) => /^\s*[[{]/u.test(value) && !isJson(value)).map(({ index }) => ({
		code: "rule-not-json",
		severity: "warning",
		message: "This rule starts like JSON logic, and is not valid JSON.",
		hint: "Check its quotes, commas and brackets.",
		pointer: [
			"semantics",
			String(index),
			"rule"
		]
	}));
}
function isJson(text) {
	try {
		JSON.parse(text);
		return true;
	} catch {
		return false;
	}
}
function duplicateNames(document, section, normalize) {
	const first = new Map();
	return membersOf(document[section], "name").flatMap(({ value, index }) => {
		const earlier = first.get(normalize(value));
		if (earlier !== void 0) return [duplicateName(section, value, index, earlier)];
		first.set(normalize(value), index);
		return [];
	});
}
function duplicateName(section, name, index, earlier) {
	return {
		code: "duplicate-name",
		message: `Item ${index + 1} of \`${section}\` has the name of item ${earlier + 1}, ${quote$1(name)}.`,
		hint: section === "schema" ? "Rename or remove one; case does not count." : "Rename or remove one.",
		pointer: [
			section,
			String(index),
			"name"
		]
	};
}
function membersOf(list, key) {
	if (!isArray(list)) return [];
	return list.flatMap((item, index) => {
		const value = isObject$1(item) ? item[key] : void 0;
		return typeof value === "string" ? [{
			value,
			index
		}] : [];
	});
}
function suggest(word, words) {
	const [nearest] = words.map((candidate) => ({
		candidate,
		edits: distance(word, candidate)
	})).filter(({ candidate, edits }) => edits <= Math.max(1, Math.floor(candidate.length / 3))).toSorted((a, b) => a.edits - b.edits);
	return nearest?.candidate ?? words.find((candidate) => isPart(word, candidate));
}
function isPart(word, candidate) {
	return word.length > 3 && candidate.toLowerCase().includes(word.toLowerCase());
}
function didYouMean(word, words) {
	const suggestion = suggest(word, words);
	return suggestion === void 0 ? void 0 : `Did you mean "${suggestion}"?`;
}
const longestWord = 64;
function distance(word, candidate) {
	const a = word.slice(0, longestWord).toLowerCase();
	const b = candidate.toLowerCase();
	let before = [];
	let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
	for (let row = 1; row <= a.length; row += 1) {
		const current = [row];
		for (let column = 1; column <= b.length; column += 1) current.push(cell(a, b, {
			row,
			column,
			before,
			previous,
			current
		}));
		before = previous;
		previous = current;
	}
	return previous[b.length] ?? 0;
}
function cell(a, b, { row, column, before, previous, current }) {
	const same = a[row - 1] === b[column - 1];
	const swapped = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
	return Math.min((previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1, (previous[column - 1] ?? 0) + (same ? 0 : 1), swapped ? (before[column - 2] ?? 0) + 1 : Infinity);
}
function ruleProblems(document, statuses) {
	if (!isObject$1(document)) return [];
	return [
		...unknownStatus(document, statuses),
		...identityProblems(document),
		...sectionProblems(document)
	];
}
function unknownStatus({ entityStatus }, statuses) {
	if (!statuses || typeof entityStatus !== "string" || statuses.includes(entityStatus)) return [];
	return [{
		code: "unknown-status",
		message: `The lifecycle has no status ${quote$1(entityStatus)}.`,
		hint: didYouMean(entityStatus, statuses) ?? `Its statuses are ${statuses.join(", ")}.`,
		pointer: ["entityStatus"]
	}];
}
const validate$2 = validate20$1;
const schema31$1 = {
	"$schema": "https://json-schema.org/draft/2020-12/schema",
	"$id": "urn:contract-sync:schema:contract",
	"title": "Data contract",
	"description": "A data contract as a file declares it. A field that the file names is managed: the file owns it whole. A field that the file leaves out is never touched. `null` asks for the removal of a field.",
	"type": "object",
	"additionalProperties": false,
	"properties": {
		"id": {
			"title": "Identifier",
			"description": "UUID of the contract in the catalog. The strongest identity; never patched.",
			"type": "string",
			"pattern": "\\S",
			"examples": ["7f1c2b0e-5d3a-4c8e-9a41-2f6d0b8e3c55"]
		},
		"name": {
			"title": "Name",
			"description": "Name of the contract. Together with `entity` it says which contract is meant; never patched.",
			"type": "string",
			"pattern": "\\S",
			"examples": ["orders"]
		},
		"fullyQualifiedName": {
			"title": "Fully qualified name",
			"description": "Qualified name of the contract itself, not of its entity. An identity; never patched.",
			"type": "string",
			"pattern": "\\S",
			"examples": ["warehouse.sales.public.orders.dataContract_orders"]
		},
		"entity": {
			"title": "Entity",
			"description": "The catalog entity that the contract is attached to. With `name`, its `id` or `fullyQualifiedName` says which contract is meant; never patched.",
			"type": "object",
			"additionalProperties": false,
			"minProperties": 1,
			"properties": {
				"id": {
					"title": "Entity identifier",
					"description": "UUID of the entity in the catalog.",
					"type": "string",
					"pattern": "\\S",
					"examples": ["0d6b1f7a-93c2-4e0f-8a35-6c1e7b2d9f10"]
				},
				"type": {
					"title": "Entity type",
					"description": "Kind of the entity.",
					"type": "string",
					"pattern": "\\S",
					"examples": ["table"]
				},
				"name": {
					"title": "Entity name",
					"description": "Name of the entity without its path.",
					"type": "string",
					"pattern": "\\S",
					"examples": ["orders"]
				},
				"fullyQualifiedName": {
					"title": "Entity's fully qualified name",
					"description": "Dot-separated qualified name of the entity.",
					"type": "string",
					"pattern": "\\S",
					"examples": ["warehouse.sales.public.orders"]
				}
			},
			"examples": [{
				"type": "table",
				"fullyQualifiedName": "warehouse.sales.public.orders"
			}]
		},
		"description": {
			"title": "Description",
			"description": "What the contract is about, for people. Markdown is fine.",
			"type": ["string", "null"],
			"examples": ["One row per order placed."]
		},
		"entityStatus": {
			"title": "Status",
			"description": "Where the contract stands in its life. The documented catalog knows Draft, Active and Deprecated; a configured lifecycle may have others.",
			"type": ["string", "null"],
			"pattern": "\\S",
			"examples": [
				"Draft",
				"Active",
				"Deprecated"
			]
		},
		"semantics": {
			"title": "Semantic rules",
			"description": "Rules that the data keeps, each with a name of its own. The catalog fixes no further shape.",
			"type": ["array", "null"],
			"items": {
				"title": "Semantic rule",
				"properties": {
					"name": {
						"title": "Rule name",
						"description": "Tells the rule from the others: a rule is recognised by it when rules are added, removed or moved.",
						"examples": ["amount is positive"]
					},
					"description": {
						"title": "Rule description",
						"description": "Why the rule is there.",
						"examples": ["Refunds live in another table."]
					},
					"rule": {
						"title": "Rule",
						"description": "The condition, commonly JSON logic as text.",
						"examples": ["{\">\": [{\"var\": \"amount\"}, 0]}"]
					}
				}
			},
			"examples": [[{
				"name": "amount is positive",
				"rule": "{\">\": [{\"var\": \"amount\"}, 0]}"
			}]]
		},
		"sla": {
			"title": "Service level agreement",
			"description": "What consumers may rely on: freshness, latency, retention. The catalog fixes no further shape.",
			"type": ["object", "null"],
			"properties": {
				"refreshFrequency": {
					"title": "Refresh frequency",
					"description": "How often new data arrives.",
					"examples": [{
						"interval": 1,
						"unit": "day"
					}]
				},
				"maxLatency": {
					"title": "Maximal latency",
					"description": "How late data may be.",
					"examples": [{
						"value": 4,
						"unit": "hour"
					}]
				},
				"retention": {
					"title": "Retention",
					"description": "How long data is kept.",
					"examples": [{
						"period": 365,
						"unit": "day"
					}]
				}
			},
			"examples": [{ "refreshFrequency": {
				"interval": 1,
				"unit": "day"
			} }]
		},
		"schema": {
			"title": "Schema",
			"description": "The columns that the contract promises, in their order. The catalog fixes no further shape.",
			"type": ["array", "null"],
			"items": {
				"title": "Column",
				"properties": {
					"name": {
						"title": "Column name",
						"description": "Tells the column from the others: a column is recognised by it when columns are added, removed or moved.",
						"examples": ["order_id"]
					},
					"dataType": {
						"title": "Data type",
						"description": "The column's type, as the catalog writes it.",
						"examples": [
							"BIGINT",
							"DECIMAL",
							"STRING",
							"TIMESTAMP"
						]
					},
					"description": {
						"title": "Column description",
						"description": "What the column holds.",
						"examples": ["Number of the order, unique for all time."]
					},
					"constraint": {
						"title": "Constraint",
						"description": "A constraint on the column's values.",
						"examples": [
							"PRIMARY_KEY",
							"NOT_NULL",
							"UNIQUE"
						]
					}
				}
			},
			"examples": [[{
				"name": "order_id",
				"dataType": "BIGINT",
				"constraint": "PRIMARY_KEY"
			}]]
		},
		"owners": {
			"title": "Owners",
			"description": "Users and teams that answer for the contract. A reference agrees with the catalog's as soon as each member given here does.",
			"type": ["array", "null"],
			"items": { "$ref": "#/$defs/reference" },
			"examples": [[{
				"type": "team",
				"name": "data-platform"
			}]]
		},
		"reviewers": {
			"title": "Reviewers",
			"description": "Users and teams that review changes of the contract.",
			"type": ["array", "null"],
			"items": { "$ref": "#/$defs/reference" },
			"examples": [[{
				"type": "user",
				"name": "jane.doe"
			}]]
		},
		"extension": {
			"title": "Extension",
			"description": "Custom properties. The catalog fixes no further shape.",
			"type": ["object", "null"],
			"examples": [{ "costCentre": "4711" }]
		}
	},
	"anyOf": [
		{ "required": ["id"] },
		{ "required": ["fullyQualifiedName"] },
		{
			"required": ["name", "entity"],
			"properties": { "entity": { "anyOf": [{ "required": ["id"] }, { "required": ["fullyQualifiedName"] }] } }
		}
	],
	"$defs": { "reference": {
		"title": "Reference",
		"description": "A user or a team, by type and name or by id.",
		"properties": {
			"type": {
				"title": "Type",
				"description": "Kind of the one referred to.",
				"examples": ["team", "user"]
			},
			"name": {
				"title": "Name",
				"description": "Name of the one referred to.",
				"examples": ["data-platform"]
			},
			"id": {
				"title": "Identifier",
				"description": "UUID of the one referred to.",
				"examples": ["5c0f6c2e-8a1b-4f7d-b3e9-1d2a4c6e8f00"]
			}
		}
	} },
	"examples": [{
		"name": "orders",
		"entity": {
			"type": "table",
			"fullyQualifiedName": "warehouse.sales.public.orders"
		},
		"entityStatus": "Active",
		"description": "One row per order placed."
	}]
};
const func1$1 = Object.prototype.hasOwnProperty;
const pattern4$1 = new RegExp("\\S", "u");
function validate20$1(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
	let vErrors = null;
	let errors = 0;
	const evaluated0 = validate20$1.evaluated;
	if (evaluated0.dynamicProps) evaluated0.props = void 0;
	if (evaluated0.dynamicItems) evaluated0.items = void 0;
	const _errs1 = errors;
	let valid0 = false;
	const _errs2 = errors;
	if (data && typeof data == "object" && !Array.isArray(data)) {
		if (data.id === void 0) {
			const err0 = {
				instancePath,
				schemaPath: "#/anyOf/0/required",
				keyword: "required",
				params: { missingProperty: "id" },
				message: "must have required property 'id'",
				schema: schema31$1.anyOf[0].required,
				parentSchema: schema31$1.anyOf[0],
				data
			};
			if (vErrors === null) vErrors = [err0];
			else vErrors.push(err0);
			errors++;
		}
	}
	var _valid0 = _errs2 === errors;
	valid0 = valid0 || _valid0;
	const _errs3 = errors;
	if (data && typeof data == "object" && !Array.isArray(data)) {
		if (data.fullyQualifiedName === void 0) {
			const err1 = {
				instancePath,
				schemaPath: "#/anyOf/1/required",
				keyword: "required",
				params: { missingProperty: "fullyQualifiedName" },
				message: "must have required property 'fullyQualifiedName'",
				schema: schema31$1.anyOf[1].required,
				parentSchema: schema31$1.anyOf[1],
				data
			};
			if (vErrors === null) vErrors = [err1];
			else vErrors.push(err1);
			errors++;
		}
	}
	var _valid0 = _errs3 === errors;
	valid0 = valid0 || _valid0;
	const _errs4 = errors;
	if (data && typeof data == "object" && !Array.isArray(data)) {
		if (data.name === void 0) {
			const err2 = {
				instancePath,
				schemaPath: "#/anyOf/2/required",
				keyword: "required",
				params: { missingProperty: "name" },
				message: "must have required property 'name'",
				schema: schema31$1.anyOf[2].required,
				parentSchema: schema31$1.anyOf[2],
				data
			};
			if (vErrors === null) vErrors = [err2];
			else vErrors.push(err2);
			errors++;
		}
		if (data.entity === void 0) {
			const err3 = {
				instancePath,
				schemaPath: "#/anyOf/2/required",
				keyword: "required",
				params: { missingProperty: "entity" },
				message: "must have required property 'entity'",
				schema: schema31$1.anyOf[2].required,
				parentSchema: schema31$1.anyOf[2],
				data
			};
			if (vErrors === null) vErrors = [err3];
			else vErrors.push(err3);
			errors++;
		}
		if (data.entity !== void 0) {
			let data0 = data.entity;
			const _errs6 = errors;
			let valid2 = false;
			const _errs7 = errors;
			if (data0 && typeof data0 == "object" && !Array.isArray(data0)) {
				if (data0.id === void 0) {
					const err4 = {
						instancePath: instancePath + "/entity",
						schemaPath: "#/anyOf/2/properties/entity/anyOf/0/required",
						keyword: "required",
						params: { missingProperty: "id" },
						message: "must have required property 'id'",
						schema: schema31$1.anyOf[2].properties.entity.anyOf[0].required,
						parentSchema: schema31$1.anyOf[2].properties.entity.anyOf[0],
						data: data0
					};
					if (vErrors === null) vErrors = [err4];
					else vErrors.push(err4);
					errors++;
				}
			}
			var _valid1 = _errs7 === errors;
			valid2 = valid2 || _valid1;
			const _errs8 = errors;
			if (data0 && typeof data0 == "object" && !Array.isArray(data0)) {
				if (data0.fullyQualifiedName === void 0) {
					const err5 = {
						instancePath: instancePath + "/entity",
						schemaPath: "#/anyOf/2/properties/entity/anyOf/1/required",
						keyword: "required",
						params: { missingProperty: "fullyQualifiedName" },
						message: "must have required property 'fullyQualifiedName'",
						schema: schema31$1.anyOf[2].properties.entity.anyOf[1].required,
						parentSchema: schema31$1.anyOf[2].properties.entity.anyOf[1],
						data: data0
					};
					if (vErrors === null) vErrors = [err5];
					else vErrors.push(err5);
					errors++;
				}
			}
			var _valid1 = _errs8 === errors;
			valid2 = valid2 || _valid1;
			if (!valid2) {
				const err6 = {
					instancePath: instancePath + "/entity",
					schemaPath: "#/anyOf/2/properties/entity/anyOf",
					keyword: "anyOf",
					params: {},
					message: "must match a schema in anyOf",
					schema: schema31$1.anyOf[2].properties.entity.anyOf,
					parentSchema: schema31$1.anyOf[2].properties.entity,
					data: data0
				};
				if (vErrors === null) vErrors = [err6];
				else vErrors.push(err6);
				errors++;
			} else {
				errors = _errs6;
				if (vErrors !== null) {
					if (_errs6) vErrors.length = _errs6;
					else vErrors = null;
				}
			}
		}
	}
	var _valid0 = _errs4 === errors;
	valid0 = valid0 || _valid0;
	if (_valid0) {
		var props0 = {};
		props0.entity = true;
	}
	if (!valid0) {
		const err7 = {
			instancePath,
			schemaPath: "#/anyOf",
			keyword: "anyOf",
			params: {},
			message: "must match a schema in anyOf",
			schema: schema31$1.anyOf,
			parentSchema: schema31$1,
			data
		};
		if (vErrors === null) vErrors = [err7];
		else vErrors.push(err7);
		errors++;
	} else {
		errors = _errs1;
		if (vErrors !== null) {
			if (_errs1) vErrors.length = _errs1;
			else vErrors = null;
		}
	}
	if (data && typeof data == "object" && !Array.isArray(data)) {
		for (const key0 in data) if (!func1$1.call(schema31$1.properties, key0)) {
			const err8 = {
				instancePath,
				schemaPath: "#/additionalProperties",
				keyword: "additionalProperties",
				params: { additionalProperty: key0 },
				message: "must NOT have additional properties",
				schema: false,
				parentSchema: schema31$1,
				data
			};
			if (vErrors === null) vErrors = [err8];
			else vErrors.push(err8);
			errors++;
		}
		if (data.id !== void 0) {
			let data1 = data.id;
			if (typeof data1 === "string") {
				if (!pattern4$1.test(data1)) {
					const err9 = {
						instancePath: instancePath + "/id",
						schemaPath: "#/properties/id/pattern",
						keyword: "pattern",
						params: { pattern: "\\S" },
						message: "must match pattern \"\\S\"",
						schema: "\\S",
						parentSchema: schema31$1.properties.id,
						data: data1
					};
					if (vErrors === null) vErrors = [err9];
					else vErrors.push(err9);
					errors++;
				}
			} else {
				const err10 = {
					instancePath: instancePath + "/id",
					schemaPath: "#/properties/id/type",
					keyword: "type",
					params: { type: "string" },
					message: "must be string",
					schema: schema31$1.properties.id.type,
					parentSchema: schema31$1.properties.id,
					data: data1
				};
				if (vErrors === null) vErrors = [err10];
				else vErrors.push(err10);
				errors++;
			}
		}
		if (data.name !== void 0) {
			let data2 = data.name;
			if (typeof data2 === "string") {
				if (!pattern4$1.test(data2)) {
					const err11 = {
						instancePath: instancePath + "/name",
						schemaPath: "#/properties/name/pattern",
						keyword: "pattern",
						params: { pattern: "\\S" },
						message: "must match pattern \"\\S\"",
						schema: "\\S",
						parentSchema: schema31$1.properties.name,
						data: data2
					};
					if (vErrors === null) vErrors = [err11];
					else vErrors.push(err11);
					errors++;
				}
			} else {
				const err12 = {
					instancePath: instancePath + "/name",
					schemaPath: "#/properties/name/type",
					keyword: "type",
					params: { type: "string" },
					message: "must be string",
					schema: schema31$1.properties.name.type,
					parentSchema: schema31$1.properties.name,
					data: data2
				};
				if (vErrors === null) vErrors = [err12];
				else vErrors.push(err12);
				errors++;
			}
		}
		if (data.fullyQualifiedName !== void 0) {
			let data3 = data.fullyQualifiedName;
			if (typeof data3 === "string") {
				if (!pattern4$1.test(data3)) {
					const err13 = {
						instancePath: instancePath + "/fullyQualifiedName",
						schemaPath: "#/properties/fullyQualifiedName/pattern",
						keyword: "pattern",
						params: { pattern: "\\S" },
						message: "must match pattern \"\\S\"",
						schema: "\\S",
						parentSchema: schema31$1.properties.fullyQualifiedName,
						data: data3
					};
					if (vErrors === null) vErrors = [err13];
					else vErrors.push(err13);
					errors++;
				}
			} else {
				const err14 = {
					instancePath: instancePath + "/fullyQualifiedName",
					schemaPath: "#/properties/fullyQualifiedName/type",
					keyword: "type",
					params: { type: "string" },
					message: "must be string",
					schema: schema31$1.properties.fullyQualifiedName.type,
					parentSchema: schema31$1.properties.fullyQualifiedName,
					data: data3
				};
				if (vErrors === null) vErrors = [err14];
				else vErrors.push(err14);
				errors++;
			}
		}
		if (data.entity !== void 0) {
			let data4 = data.entity;
			if (data4 && typeof data4 == "object" && !Array.isArray(data4)) {
				if (Object.keys(data4).length < 1) {
					const err15 = {
						instancePath: instancePath + "/entity",
						schemaPath: "#/properties/entity/minProperties",
						keyword: "minProperties",
						params: { limit: 1 },
						message: "must NOT have fewer than 1 properties",
						schema: 1,
						parentSchema: schema31$1.properties.entity,
						data: data4
					};
					if (vErrors === null) vErrors = [err15];
					else vErrors.push(err15);
					errors++;
				}
				for (const key1 in data4) if (!(key1 === "id" || key1 === "type" || key1 === "name" || key1 === "fullyQualifiedName")) {
					const err16 = {
						instancePath: instancePath + "/entity",
						schemaPath: "#/properties/entity/additionalProperties",
						keyword: "additionalProperties",
						params: { additionalProperty: key1 },
						message: "must NOT have additional properties",
						schema: false,
						parentSchema: schema31$1.properties.entity,
						data: data4
					};
					if (vErrors === null) vErrors = [err16];
					else vErrors.push(err16);
					errors++;
				}
				if (data4.id !== void 0) {
					let data5 = data4.id;
					if (typeof data5 === "string") {
						if (!pattern4$1.test(data5)) {
							const err17 = {
								instancePath: instancePath + "/entity/id",
								schemaPath: "#/properties/entity/properties/id/pattern",
								keyword: "pattern",
								params: { pattern: "\\S" },
								message: "must match pattern \"\\S\"",
								schema: "\\S",
								parentSchema: schema31$1.properties.entity.properties.id,
								data: data5
							};
							if (vErrors === null) vErrors = [err17];
							else vErrors.push(err17);
							errors++;
						}
					} else {
						const err18 = {
							instancePath: instancePath + "/entity/id",
							schemaPath: "#/properties/entity/properties/id/type",
							keyword: "type",
							params: { type: "string" },
							message: "must be string",
							schema: schema31$1.properties.entity.properties.id.type,
							parentSchema: schema31$1.properties.entity.properties.id,
							data: data5
						};
						if (vErrors === null) vErrors = [err18];
						else vErrors.push(err18);
						errors++;
					}
				}
				if (data4.type !== void 0) {
					let data6 = data4.type;
					if (typeof data6 === "string") {
						if (!pattern4$1.test(data6)) {
							const err19 = {
								instancePath: instancePath + "/entity/type",
								schemaPath: "#/properties/entity/properties/type/pattern",
								keyword: "pattern",
								params: { pattern: "\\S" },
								message: "must match pattern \"\\S\"",
								schema: "\\S",
								parentSchema: schema31$1.properties.entity.properties.type,
								data: data6
							};
							if (vErrors === null) vErrors = [err19];
							else vErrors.push(err19);
							errors++;
						}
					} else {
						const err20 = {
							instancePath: instancePath + "/entity/type",
							schemaPath: "#/properties/entity/properties/type/type",
							keyword: "type",
							params: { type: "string" },
							message: "must be string",
							schema: schema31$1.properties.entity.properties.type.type,
							parentSchema: schema31$1.properties.entity.properties.type,
							data: data6
						};
						if (vErrors === null) vErrors = [err20];
						else vErrors.push(err20);
						errors++;
					}
				}
				if (data4.name !== void 0) {
					let data7 = data4.name;
					if (typeof data7 === "string") {
						if (!pattern4$1.test(data7)) {
							const err21 = {
								instancePath: instancePath + "/entity/name",
								schemaPath: "#/properties/entity/properties/name/pattern",
								keyword: "pattern",
								params: { pattern: "\\S" },
								message: "must match pattern \"\\S\"",
								schema: "\\S",
								parentSchema: schema31$1.properties.entity.properties.name,
								data: data7
							};
							if (vErrors === null) vErrors = [err21];
							else vErrors.push(err21);
							errors++;
						}
					} else {
						const err22 = {
							instancePath: instancePath + "/entity/name",
							schemaPath: "#/properties/entity/properties/name/type",
							keyword: "type",
							params: { type: "string" },
							message: "must be string",
							schema: schema31$1.properties.entity.properties.name.type,
							parentSchema: schema31$1.properties.entity.properties.name,
							data: data7
						};
						if (vErrors === null) vErrors = [err22];
						else vErrors.push(err22);
						errors++;
					}
				}
				if (data4.fullyQualifiedName !== void 0) {
					let data8 = data4.fullyQualifiedName;
					if (typeof data8 === "string") {
						if (!pattern4$1.test(data8)) {
							const err23 = {
								instancePath: instancePath + "/entity/fullyQualifiedName",
								schemaPath: "#/properties/entity/properties/fullyQualifiedName/pattern",
								keyword: "pattern",
								params: { pattern: "\\S" },
								message: "must match pattern \"\\S\"",
								schema: "\\S",
								parentSchema: schema31$1.properties.entity.properties.fullyQualifiedName,
								data: data8
							};
							if (vErrors === null) vErrors = [err23];
							else vErrors.push(err23);
							errors++;
						}
					} else {
						const err24 = {
							instancePath: instancePath + "/entity/fullyQualifiedName",
							schemaPath: "#/properties/entity/properties/fullyQualifiedName/type",
							keyword: "type",
							params: { type: "string" },
							message: "must be string",
							schema: schema31$1.properties.entity.properties.fullyQualifiedName.type,
							parentSchema: schema31$1.properties.entity.properties.fullyQualifiedName,
							data: data8
						};
						if (vErrors === null) vErrors = [err24];
						else vErrors.push(err24);
						errors++;
					}
				}
			} else {
				const err25 = {
					instancePath: instancePath + "/entity",
					schemaPath: "#/properties/entity/type",
					keyword: "type",
					params: { type: "object" },
					message: "must be object",
					schema: schema31$1.properties.entity.type,
					parentSchema: schema31$1.properties.entity,
					data: data4
				};
				if (vErrors === null) vErrors = [err25];
				else vErrors.push(err25);
				errors++;
			}
		}
		if (data.description !== void 0) {
			let data9 = data.description;
			if (typeof data9 !== "string" && data9 !== null) {
				const err26 = {
					instancePath: instancePath + "/description",
					schemaPath: "#/properties/description/type",
					keyword: "type",
					params: { type: schema31$1.properties.description.type },
					message: "must be string,null",
					schema: schema31$1.properties.description.type,
					parentSchema: schema31$1.properties.description,
					data: data9
				};
				if (vErrors === null) vErrors = [err26];
				else vErrors.push(err26);
				errors++;
			}
		}
		if (data.entityStatus !== void 0) {
			let data10 = data.entityStatus;
			if (typeof data10 !== "string" && data10 !== null) {
				const err27 = {
					instancePath: instancePath + "/entityStatus",
					schemaPath: "#/properties/entityStatus/type",
					keyword: "type",
					params: { type: schema31$1.properties.entityStatus.type },
					message: "must be string,null",
					schema: schema31$1.properties.entityStatus.type,
					parentSchema: schema31$1.properties.entityStatus,
					data: data10
				};
				if (vErrors === null) vErrors = [err27];
				else vErrors.push(err27);
				errors++;
			}
			if (typeof data10 === "string") {
				if (!pattern4$1.test(data10)) {
					const err28 = {
						instancePath: instancePath + "/entityStatus",
						schemaPath: "#/properties/entityStatus/pattern",
						keyword: "pattern",
						params: { pattern: "\\S" },
						message: "must match pattern \"\\S\"",
						schema: "\\S",
						parentSchema: schema31$1.properties.entityStatus,
						data: data10
					};
					if (vErrors === null) vErrors = [err28];
					else vErrors.push(err28);
					errors++;
				}
			}
		}
		if (data.semantics !== void 0) {
			let data11 = data.semantics;
			if (!Array.isArray(data11) && data11 !== null) {
				const err29 = {
					instancePath: instancePath + "/semantics",
					schemaPath: "#/properties/semantics/type",
					keyword: "type",
					params: { type: schema31$1.properties.semantics.type },
					message: "must be array,null",
					schema: schema31$1.properties.semantics.type,
					parentSchema: schema31$1.properties.semantics,
					data: data11
				};
				if (vErrors === null) vErrors = [err29];
				else vErrors.push(err29);
				errors++;
			}
		}
		if (data.sla !== void 0) {
			let data13 = data.sla;
			if (!(data13 && typeof data13 == "object" && !Array.isArray(data13)) && data13 !== null) {
				const err30 = {
					instancePath: instancePath + "/sla",
					schemaPath: "#/properties/sla/type",
					keyword: "type",
					params: { type: schema31$1.properties.sla.type },
					message: "must be object,null",
					schema: schema31$1.properties.sla.type,
					parentSchema: schema31$1.properties.sla,
					data: data13
				};
				if (vErrors === null) vErrors = [err30];
				else vErrors.push(err30);
				errors++;
			}
		}
		if (data.schema !== void 0) {
			let data14 = data.schema;
			if (!Array.isArray(data14) && data14 !== null) {
				const err31 = {
					instancePath: instancePath + "/schema",
					schemaPath: "#/properties/schema/type",
					keyword: "type",
					params: { type: schema31$1.properties.schema.type },
					message: "must be array,null",
					schema: schema31$1.properties.schema.type,
					parentSchema: schema31$1.properties.schema,
					data: data14
				};
				if (vErrors === null) vErrors = [err31];
				else vErrors.push(err31);
				errors++;
			}
		}
		if (data.owners !== void 0) {
			let data16 = data.owners;
			if (!Array.isArray(data16) && data16 !== null) {
				const err32 = {
					instancePath: instancePath + "/owners",
					schemaPath: "#/properties/owners/type",
					keyword: "type",
					params: { type: schema31$1.properties.owners.type },
					message: "must be array,null",
					schema: schema31$1.properties.owners.type,
					parentSchema: schema31$1.properties.owners,
					data: data16
				};
				if (vErrors === null) vErrors = [err32];
				else vErrors.push(err32);
				errors++;
			}
		}
		if (data.reviewers !== void 0) {
			let data18 = data.reviewers;
			if (!Array.isArray(data18) && data18 !== null) {
				const err33 = {
					instancePath: instancePath + "/reviewers",
					schemaPath: "#/properties/reviewers/type",
					keyword: "type",
					params: { type: schema31$1.properties.reviewers.type },
					message: "must be array,null",
					schema: schema31$1.properties.reviewers.type,
					parentSchema: schema31$1.properties.reviewers,
					data: data18
				};
				if (vErrors === null) vErrors = [err33];
				else vErrors.push(err33);
				errors++;
			}
		}
		if (data.extension !== void 0) {
			let data20 = data.extension;
			if (!(data20 && typeof data20 == "object" && !Array.isArray(data20)) && data20 !== null) {
				const err34 = {
					instancePath: instancePath + "/extension",
					schemaPath: "#/properties/extension/type",
					keyword: "type",
					params: { type: schema31$1.properties.extension.type },
					message: "must be object,null",
					schema: schema31$1.properties.extension.type,
					parentSchema: schema31$1.properties.extension,
					data: data20
				};
				if (vErrors === null) vErrors = [err34];
				else vErrors.push(err34);
				errors++;
			}
		}
	} else {
		const err35 = {
			instancePath,
			schemaPath: "#/type",
			keyword: "type",
			params: { type: "object" },
			message: "must be object",
			schema: schema31$1.type,
			parentSchema: schema31$1,
			data
		};
		if (vErrors === null) vErrors = [err35];
		else vErrors.push(err35);
		errors++;
	}
	validate20$1.errors = vErrors;
	return errors === 0;
}
validate20$1.evaluated = {
	"props": true,
	"dynamicProps": false,
	"dynamicItems": false
};
function shapeProblems(document) {
	if (validate$2(document)) return [];
	return (validate$2.errors ?? []).values().flatMap(describe$1).take(101).toArray();
}
function describe$1(error) {
	const pointer = parsePointer(error.instancePath) ?? [];
	switch (error.keyword) {
		case "additionalProperties": return [unexpectedKey(pointer, String(error.params["additionalProperty"]), error)];
		case "type": return [wrongType(pointer, [error.params["type"]].flat().map(String), error.data)];
		case "pattern":
		case "minProperties": return [emptyValue(pointer)];
		case "anyOf": return pointer.length === 0 ? [identityMissing] : [];
		default: return [];
	}
}
const identityMissing = {
	code: "identity-missing",
	message: "Nothing in this document says which contract of the catalog it means.",
	hint: "Give `id`, or `fullyQualifiedName`, or `name` with `entity.id` or `entity.fullyQualifiedName`.",
	pointer: []
};
function unexpectedKey(parent, key, { parentSchema }) {
	const place = {
		pointer: [...parent, key],
		atKey: true
	};
	const where = parent.length === 0 ? "a contract" : `\`${parent.join(".")}\``;
	if (parent.length === 0 && isServerField(key)) return {
		...serverOwned(key),
		...place
	};
	const known = Object.keys(parentSchema?.["properties"] ?? {});
	return {
		code: "unknown-key",
		message: `${quote$1(key)} is no key of ${where}.`,
		hint: didYouMean(key, known) ?? `The keys of ${where} are ${known.join(", ")}.`,
		...place
	};
}
function isServerField(key) {
	return serverFields.some((field) => field === key);
}
function serverOwned(key) {
	return {
		code: "server-owned-field",
		message: `\`${key}\` is written by the catalog with every change, so a file cannot set it.`,
		hint: `Remove \`${key}\`.`
	};
}
const typeNames = {
	string: "text",
	number: "a number",
	boolean: "a boolean",
	array: "a list",
	object: "a mapping",
	null: "null"
};
function wrongType(pointer, expected, value) {
	const actual = typeOf(value);
	const wanted = expected.map((type) => typeNames[type] ?? type).join(" or ");
	if (pointer.length === 0) return notAMapping(actual, pointer);
	return {
		code: "wrong-type",
		message: `\`${pointer.join(".")}\` must be ${wanted}, and this is ${typeNames[actual] ?? actual}.`,
		hint: typeHint(actual, expected),
		pointer
	};
}
function notAMapping(actual, pointer) {
	return {
		code: "not-a-mapping",
		message: `A contract is a mapping of keys to values, and this document is ${typeNames[actual] ?? actual}.`,
		hint: "Start the document with the contract's keys, `name: …`.",
		pointer
	};
}
function typeHint(actual, expected) {
	if (actual === "null") return "An identity cannot be removed; leave the key out.";
	if (expected.includes("array")) return "Begin each item with a hyphen and a space.";
	if (expected.includes("object")) return "Write `key: value` for each of its members.";
	return actual === "number" || actual === "boolean" ? "Quote it." : "Write one text; after `|` it may go on over several lines.";
}
function typeOf(value) {
	if (value === null) return "null";
	return Array.isArray(value) ? "array" : typeof value;
}
function emptyValue(pointer) {
	return {
		code: "empty-value",
		message: `\`${pointer.join(".")}\` is empty.`,
		hint: "Give it a value, or leave the key out.",
		pointer
	};
}
function parseContractFile(file, text, statuses) {
	const yaml = parseYaml(text);
	const check = (value) => [...shapeProblems(value), ...ruleProblems(value, statuses)];
	const documents = yaml.documents.map((document) => readDocument(document, text, yaml, check));
	const findings = [
		...yaml.findings,
		...documents.flatMap((document) => document.findings),
		...emptiness(yaml)
	];
	return {
		contracts: documents.flatMap(({ fields, offset, locate }, index) => {
			if (!fields) return [];
			return [{
				fields,
				index,
				place: yaml.lines.place(offset),
				fieldPlaces: Object.fromEntries(Object.keys(fields).map((field) => [field, yaml.lines.place(locate([field]))]))
			}];
		}),
		diagnostics: toDiagnostics(file, yaml, findings)
	};
}
function emptiness({ documents, findings }) {
	if (findings.length > 0) return [];
	const empty = documents.filter((document) => isEmpty$1(document) && document.errors.length === 0);
	if (empty.length === documents.length) return [emptyFile];
	return empty.map((document) => emptyDocument(offsetOf(document.contents)));
}
const emptyFile = {
	code: "no-contract",
	severity: "error",
	message: "The file holds no contract.",
	hint: "Write one, remove the file, or leave it out with `contracts.exclude`.",
	offset: 0
};
function emptyDocument(offset) {
	return {
		code: "empty-document",
		severity: "warning",
		message: "This document of the file is empty.",
		hint: "Remove the `---` in front of it.",
		offset
	};
}
function toDiagnostics(file, { lines }, findings) {
	const all = [...new Map(findings.map((finding) => [`${finding.offset} ${finding.code} ${finding.message}`, finding])).values()].toSorted((a, b) => a.offset - b.offset);
	const shown = all.slice(0, 100);
	const last = shown.at(-1);
	if (last && all.length > shown.length) shown.push(andMore(last.offset));
	return sortDiagnostics(shown.map((finding) => toDiagnostic(file, lines, finding)));
}
function andMore(offset) {
	return {
		code: "too-many-problems",
		severity: "error",
		message: `The file has more than 100 problems; the others are not shown.`,
		hint: "Mend these first: one mistake early on may cause many more.",
		offset
	};
}
function readText(file, root) {
	const path = resolve(root, file);
	try {
		if (statSync(path).size > 1048576) return { problem: obstacleDiagnostic({
			file,
			kind: "file-too-large"
		}) };
		return decodeText(file, readFileSync(path));
	} catch (error) {
		return { problem: obstacleDiagnostic(obstacleOf(file, error)) };
	}
}
function decodeText(file, bytes) {
	const start = bytes.subarray(0, 2).join();
	if (start === "254,255" || start === "255,254") return { problem: utf16(file) };
	const text = decode$1(bytes);
	if (text === void 0) return { problem: invalidUtf8(file, validPrefix(bytes)) };
	const control = controlCharacter.exec(text);
	if (control) return { problem: forbiddenCharacter(file, text.slice(0, control.index), control[0]) };
	return { text };
}
function decode$1(bytes, stream = false) {
	try {
		return new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream });
	} catch {
		return;
	}
}
const controlCharacter = /[^\P{Cc}\t\n\r\u0085]|\r(?!\n)/u;
function validPrefix(bytes) {
	let valid = 0;
	let invalid = bytes.length;
	while (invalid - valid > 1) {
		const middle = Math.floor((valid + invalid) / 2);
		if (decode$1(bytes.subarray(0, middle), true) === void 0) invalid = middle;
		else valid = middle;
	}
	return decode$1(bytes.subarray(0, valid), true) ?? "";
}
function utf16(file) {
	return {
		code: "utf-16",
		severity: "error",
		message: "The file is encoded in UTF-16, and contract files are UTF-8.",
		hint: "Save it as UTF-8.",
		source: {
			file,
			line: 1,
			column: 1
		}
	};
}
function invalidUtf8(file, before) {
	return {
		code: "invalid-utf-8",
		severity: "error",
		message: "The bytes here are no UTF-8, so the file cannot be read as text.",
		hint: "Save it as UTF-8.",
		source: {
			file,
			...endOf$1(before)
		}
	};
}
function forbiddenCharacter(file, before, character) {
	return {
		code: "control-character",
		severity: "error",
		message: `The control character U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")} stands here, where YAML does not take it.`,
		hint: "Remove it, or write it as an escape in a double-quoted text; end lines with a line feed.",
		source: {
			file,
			...endOf$1(before)
		}
	};
}
function endOf$1(text) {
	const lines = text.split("\n");
	return {
		line: lines.length,
		column: (lines.at(-1) ?? "").length + 1
	};
}
function readFile(file, request) {
	const { root, statuses, identitiesOnly } = request;
	const read = readText(file, root);
	if ("problem" in read) return {
		contracts: [],
		diagnostics: [read.problem],
		text: ""
	};
	const { contracts, diagnostics } = parseContractFile(file, read.text, statuses);
	if (identitiesOnly) return {
		contracts: contracts.map(withIdentityAlone),
		diagnostics,
		text: ""
	};
	return {
		contracts,
		diagnostics,
		text: contracts.length > 0 ? read.text : ""
	};
}
function withIdentityAlone(contract) {
	const fields = identityFields.flatMap((field) => {
		const value = contract.fields[field];
		return value === void 0 ? [] : [[field, value]];
	});
	return {
		...contract,
		fields: Object.fromEntries(fields),
		fieldPlaces: {}
	};
}
const batchSize$1 = 16;
function batchCount(files) {
	return Math.ceil(files.length / batchSize$1);
}
function* claimBatches({ files, next }) {
	for (;;) {
		const batch = Atomics.add(next, 0, 1);
		if (batch >= batchCount(files)) return;
		yield batch;
	}
}
function readBatch(batch, shared) {
	return shared.files.slice(batch * batchSize$1, (batch + 1) * batchSize$1).map((file) => readFile(file, shared));
}
function startReading(files, request, helpers = usefulHelpers(files.length)) {
	const next = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
	const shared = {
		...request,
		files,
		next
	};
	const readings = new Map();
	const helping = helpers && startHelpers(helpers, shared, readings);
	const readHere = async (batches, between) => {
		for (const batch of batches) {
			readings.set(batch, readBatch(batch, shared));
			await setImmediate();
			await between?.();
		}
	};
	return async (contracts) => {
		const whenFree = helping && contracts && leaveTimeToFetch(contracts, helping);
		await whenFree?.();
		await readHere(claimBatches(shared), whenFree);
		await helping;
		const batches = [...Array(batchCount(files)).keys()];
		await readHere(batches.filter((batch) => !readings.has(batch)));
		return batches.flatMap((batch) => readings.get(batch) ?? []);
	};
}
function leaveTimeToFetch(contracts, helping) {
	const learn = async () => {
		const milliseconds = await contracts * millisecondsPerContract;
		busy = unhurried(Math.min(milliseconds, longestFetch));
	};
	let busy = Promise.race([learn(), unhurried(patience$1)]);
	return async () => {
		let waited;
		while (waited !== busy) {
			waited = busy;
			await Promise.race([waited, helping]);
		}
	};
}
const patience$1 = 200;
const millisecondsPerContract = .015;
const longestFetch = 1e4;
async function unhurried(milliseconds) {
	await setTimeout$1(milliseconds, void 0, { ref: false });
}
const filesWorthAThread = 1e3;
const mostHelpers = 3;
function usefulHelpers(fileCount) {
	if (fileCount < filesWorthAThread || program === void 0) return void 0;
	const count = Math.min(availableParallelism() - 1, mostHelpers);
	return count > 0 ? {
		count,
		program
	} : void 0;
}
const program = threadProgram("read-worker", import.meta);
async function startHelpers({ count, program: ofHelpers }, shared, readings) {
	const ends = Array.from({ length: count }, async () => {
		const worker = startThread(ofHelpers, shared);
		if (!worker) return;
		worker.on("message", ([batch, json]) => {
			const batchReadings = JSON.parse(json);
			readings.set(batch, batchReadings);
		});
		await endOf(worker);
	});
	await Promise.all(ends);
}
function endOf(worker) {
	const { promise, resolve } = Promise.withResolvers();
	worker.on("error", () => resolve());
	worker.on("exit", () => resolve());
	return promise;
}
function openFiles(selection, options = {}) {
	const found = findFiles(selection);
	const { root } = selection;
	const { statuses } = options;
	const finish = startReading(found.files, {
		root,
		statuses
	});
	return {
		guess: (keys) => guess(found.files, root, keys),
		read: async (contractsToFetch) => gather(found, await finish(contractsToFetch), selection)
	};
}
async function readContracts(selection, options) {
	return openFiles(selection, options).read();
}
async function checkContracts(selection, { statuses } = {}) {
	const found = findFiles(selection);
	const { root } = selection;
	const { contracts, ...result } = gather(found, await startReading(found.files, {
		root,
		statuses,
		identitiesOnly: true
	})(), selection);
	return {
		...result,
		contractCount: contracts.length
	};
}
function gather(found, readings, { allowEmpty }) {
	const locate = createLocator();
	const { contracts, diagnostics: claimedTwice } = refuseDuplicates(readings.flatMap(({ contracts, text }, index) => {
		const file = found.files[index] ?? "";
		return contracts.map((contract) => desiredContract(contract, {
			file,
			text
		}, locate));
	}));
	const inFiles = readings.flatMap(({ diagnostics }) => diagnostics);
	return {
		contracts,
		diagnostics: sortDiagnostics([
			...found.diagnostics,
			...inFiles,
			...claimedTwice,
			...allowEmpty || found.diagnostics.length + readings.length > 0 ? [] : [nothing]
		]),
		fileCount: found.files.length
	};
}
const nothing = {
	code: "no-contracts",
	severity: "error",
	message: "No contract file was found: `contracts.exclude` leaves out all of them.",
	hint: "Narrow it, or pass --allow-empty if there is to be none."
};
function startListing(reader, guess) {
	const abandoned = new AbortController();
	const { sieve, ...query } = guess;
	const pages = reader.sift(query, sieve, abandoned.signal)[Symbol.asyncIterator]();
	const abandon = () => {
		abandoned.abort();
		pages.return?.().catch(() => void 0);
	};
	const first = pages.next();
	first.catch(() => void 0);
	return {
		toCome: first.then(({ done, value }) => done ? 0 : toCome(value), () => 0),
		pages: (wanted) => {
			if (!wanted.entities && isGuessed(wanted, guess)) return resume(first, pages);
			abandon();
			return siftedPages(reader, wanted);
		},
		abandon
	};
}
function postponeListing(reader) {
	return {
		toCome: Promise.resolve(0),
		pages: (wanted) => siftedPages(reader, wanted),
		abandon: () => void 0
	};
}
function toCome({ contracts, total = 0 }) {
	return Math.max(0, total - contracts.length);
}
function siftedPages(reader, { sieve, ...query }) {
	return reader.sift(query, sieve);
}
async function* resume(first, rest) {
	try {
		for (let page = await first; !page.done; page = await rest.next()) yield page.value;
	} finally {
		await rest.return?.();
	}
}
function isGuessed({ fields, sieve }, guess) {
	return fields.length === guess.fields.length && fields.every((field) => guess.fields.includes(field)) && [...sieve.identities].every((identity) => guess.sieve.identities.has(identity)) && sieve.names.every((name) => guess.sieve.names.includes(name));
}
function wantedBy(desired, others) {
	const entities = others.listed ? void 0 : entitiesToRequest(desired);
	const values = desired.map(({ identity }) => lookupValue(identity));
	const identities = new Set(values.filter((value) => value !== void 0));
	return {
		fields: fieldsToRequest(desired),
		sieve: {
			identities,
			names: others.whole
		},
		...entities && { entities }
	};
}
function fieldsToRequest(desired) {
	return optionalFields.filter((field) => desired.some(({ managed }) => Object.hasOwn(managed, field)));
}
function entitiesToRequest(desired) {
	const entities = desired.map(({ identity }) => lookupEntity(identity));
	return entities.every((entity) => entity !== void 0) ? [...new Set(entities)] : void 0;
}
var require_helpers = __commonJSMin(((exports, module, this$1) => {
	var __extends = this$1 && this$1.__extends || (function() {
		var extendStatics = function(d, b) {
			extendStatics = Object.setPrototypeOf || { __proto__: [] } instanceof Array && function(d, b) {
				d.__proto__ = b;
			} || function(d, b) {
				for (var p in b) if (b.hasOwnProperty(p)) d[p] = b[p];
			};
			return extendStatics(d, b);
		};
		return function(d, b) {
			extendStatics(d, b);
			function __() {
				this.constructor = d;
			}
			d.prototype = b === null ? Object.create(b) : (__.prototype = b.prototype, new __());
		};
	})();
	Object.defineProperty(exports, "__esModule", { value: true });
	var _hasOwnProperty = Object.prototype.hasOwnProperty;
	function hasOwnProperty(obj, key) {
		return _hasOwnProperty.call(obj, key);
	}
	exports.hasOwnProperty = hasOwnProperty;
	function _objectKeys(obj) {
		if (Array.isArray(obj)) {
			var keys_1 = new Array(obj.length);
			for (var k = 0; k < keys_1.length; k++) keys_1[k] = "" + k;
			return keys_1;
		}
		if (Object.keys) return Object.keys(obj);
		var keys = [];
		for (var i in obj) if (hasOwnProperty(obj, i)) keys.push(i);
		return keys;
	}
	exports._objectKeys = _objectKeys;
	function _deepClone(obj) {
		switch (typeof obj) {
			case "object": return JSON.parse(JSON.stringify(obj));
			case "undefined": return null;
			default: return obj;
		}
	}
	exports._deepClone = _deepClone;
	function isInteger(str) {
		var i = 0;
		var len = str.length;
		var charCode;
		while (i < len) {
			charCode = str.charCodeAt(i);
			if (charCode >= 48 && charCode <= 57) {
				i++;
				continue;
			}
			return false;
		}
		return true;
	}
	exports.isInteger = isInteger;
	function escapePathComponent(path) {
		if (path.indexOf("/") === -1 && path.indexOf("~") === -1) return path;
		return path.replace(/~/g, "~0").replace(/\//g, "~1");
	}
	exports.escapePathComponent = escapePathComponent;
	function unescapePathComponent(path) {
		return path.replace(/~1/g, "/").replace(/~0/g, "~");
	}
	exports.unescapePathComponent = unescapePathComponent;
	function _getPathRecursive(root, obj) {
		var found;
		for (var key in root) if (hasOwnProperty(root, key)) {
			if (root[key] === obj) return escapePathComponent(key) + "/";
			else if (typeof root[key] === "object") {
				found = _getPathRecursive(root[key], obj);
				if (found != "") return escapePathComponent(key) + "/" + found;
			}
		}
		return "";
	}
	exports._getPathRecursive = _getPathRecursive;
	function getPath(root, obj) {
		if (root === obj) return "/";
		var path = _getPathRecursive(root, obj);
		if (path === "") throw new Error("Object not found in root");
		return "/" + path;
	}
	exports.getPath = getPath;
	function hasUndefined(obj) {
		if (obj === void 0) return true;
		if (obj) {
			if (Array.isArray(obj)) {
				for (var i_1 = 0, len = obj.length; i_1 < len; i_1++) if (hasUndefined(obj[i_1])) return true;
			} else if (typeof obj === "object") {
				var objKeys = _objectKeys(obj);
				var objKeysLength = objKeys.length;
				for (var i = 0; i < objKeysLength; i++) if (hasUndefined(obj[objKeys[i]])) return true;
			}
		}
		return false;
	}
	exports.hasUndefined = hasUndefined;
	function patchErrorMessageFormatter(message, args) {
		var messageParts = [message];
		for (var key in args) {
			var value = typeof args[key] === "object" ? JSON.stringify(args[key], null, 2) : args[key];
			if (typeof value !== "undefined") messageParts.push(key + ": " + value);
		}
		return messageParts.join("\n");
	}
	exports.PatchError = function(_super) {
		__extends(PatchError, _super);
		function PatchError(message, name, index, operation, tree) {
			var _newTarget = this.constructor;
			var _this = _super.call(this, patchErrorMessageFormatter(message, {
				name,
				index,
				operation,
				tree
			})) || this;
			_this.name = name;
			_this.index = index;
			_this.operation = operation;
			_this.tree = tree;
			Object.setPrototypeOf(_this, _newTarget.prototype);
			_this.message = patchErrorMessageFormatter(message, {
				name,
				index,
				operation,
				tree
			});
			return _this;
		}
		return PatchError;
	}(Error);
}));
var require_core = __commonJSMin(((exports) => {
	Object.defineProperty(exports, "__esModule", { value: true });
	var helpers_js_1 = require_helpers();
	exports.JsonPatchError = helpers_js_1.PatchError;
	exports.deepClone = helpers_js_1._deepClone;
	var objOps = {
		add: function(obj, key, document) {
			obj[key] = this.value;
			return { newDocument: document };
		},
		remove: function(obj, key, document) {
			var removed = obj[key];
			delete obj[key];
			return {
				newDocument: document,
				removed
			};
		},
		replace: function(obj, key, document) {
			var removed = obj[key];
			obj[key] = this.value;
			return {
				newDocument: document,
				removed
			};
		},
		move: function(obj, key, document) {
			var removed = getValueByPointer(document, this.path);
			if (removed) removed = helpers_js_1._deepClone(removed);
			var originalValue = applyOperation(document, {
				op: "remove",
				path: this.from
			}).removed;
			applyOperation(document, {
				op: "add",
				path: this.path,
				value: originalValue
			});
			return {
				newDocument: document,
				removed
			};
		},
		copy: function(obj, key, document) {
			var valueToCopy = getValueByPointer(document, this.from);
			applyOperation(document, {
				op: "add",
				path: this.path,
				value: helpers_js_1._deepClone(valueToCopy)
			});
			return { newDocument: document };
		},
		test: function(obj, key, document) {
			return {
				newDocument: document,
				test: _areEquals(obj[key], this.value)
			};
		},
		_get: function(obj, key, document) {
			this.value = obj[key];
			return { newDocument: document };
		}
	};
	var arrOps = {
		add: function(arr, i, document) {
			if (helpers_js_1.isInteger(i)) arr.splice(i, 0, this.value);
			else arr[i] = this.value;
			return {
				newDocument: document,
				index: i
			};
		},
		remove: function(arr, i, document) {
			return {
				newDocument: document,
				removed: arr.splice(i, 1)[0]
			};
		},
		replace: function(arr, i, document) {
			var removed = arr[i];
			arr[i] = this.value;
			return {
				newDocument: document,
				removed
			};
		},
		move: objOps.move,
		copy: objOps.copy,
		test: objOps.test,
		_get: objOps._get
	};
	function getValueByPointer(document, pointer) {
		if (pointer == "") return document;
		var getOriginalDestination = {
			op: "_get",
			path: pointer
		};
		applyOperation(document, getOriginalDestination);
		return getOriginalDestination.value;
	}
	exports.getValueByPointer = getValueByPointer;
	function applyOperation(document, operation, validateOperation, mutateDocument, banPrototypeModifications, index) {
		if (validateOperation === void 0) validateOperation = false;
		if (mutateDocument === void 0) mutateDocument = true;
		if (banPrototypeModifications === void 0) banPrototypeModifications = true;
		if (index === void 0) index = 0;
		if (validateOperation) {
			if (typeof validateOperation == "function") validateOperation(operation, 0, document, operation.path);
			else validator(operation, 0);
		}
		if (operation.path === "") {
			var returnValue = { newDocument: document };
			if (operation.op === "add") {
				returnValue.newDocument = operation.value;
				return returnValue;
			} else if (operation.op === "replace") {
				returnValue.newDocument = operation.value;
				returnValue.removed = document;
				return returnValue;
			} else if (operation.op === "move" || operation.op === "copy") {
				returnValue.newDocument = getValueByPointer(document, operation.from);
				if (operation.op === "move") returnValue.removed = document;
				return returnValue;
			} else if (operation.op === "test") {
				returnValue.test = _areEquals(document, operation.value);
				if (returnValue.test === false) throw new exports.JsonPatchError("Test operation failed", "TEST_OPERATION_FAILED", index, operation, document);
				returnValue.newDocument = document;
				return returnValue;
			} else if (operation.op === "remove") {
				returnValue.removed = document;
				returnValue.newDocument = null;
				return returnValue;
			} else if (operation.op === "_get") {
				operation.value = document;
				return returnValue;
			} else if (validateOperation) throw new exports.JsonPatchError("Operation `op` property is not one of operations defined in RFC-6902", "OPERATION_OP_INVALID", index, operation, document);
			else return returnValue;
		} else {
			if (!mutateDocument) document = helpers_js_1._deepClone(document);
			var keys = (operation.path || "").split("/");
			var obj = document;
			var t = 1;
			var len = keys.length;
			var existingPathFragment = void 0;
			var key = void 0;
			var validateFunction = void 0;
			if (typeof validateOperation == "function") validateFunction = validateOperation;
			else validateFunction = validator;
			while (true) {
				key = keys[t];
				if (key && key.indexOf("~") != -1) key = helpers_js_1.unescapePathComponent(key);
				if (banPrototypeModifications && (key == "__proto__" || key == "prototype" && t > 0 && keys[t - 1] == "constructor")) throw new TypeError("JSON-Patch: modifying `__proto__` or `constructor/prototype` prop is banned for security reasons, if this was on purpose, please set `banPrototypeModifications` flag false and pass it to this function. More info in fast-json-patch README");
				if (validateOperation) {
					if (existingPathFragment === void 0) {
						if (obj[key] === void 0) existingPathFragment = keys.slice(0, t).join("/");
						else if (t == len - 1) existingPathFragment = operation.path;
						if (existingPathFragment !== void 0) validateFunction(operation, 0, document, existingPathFragment);
					}
				}
				t++;
				if (Array.isArray(obj)) {
					if (key === "-") key = obj.length;
					else if (validateOperation && !helpers_js_1.isInteger(key)) throw new exports.JsonPatchError("Expected an unsigned base-10 integer value, making the new referenced value the array element with the zero-based index", "OPERATION_PATH_ILLEGAL_ARRAY_INDEX", index, operation, document);
					else if (helpers_js_1.isInteger(key)) key = ~~key;
					if (t >= len) {
						if (validateOperation && operation.op === "add" && key > obj.length) throw new exports.JsonPatchError("The specified index MUST NOT be greater than the number of elements in the array", "OPERATION_VALUE_OUT_OF_BOUNDS", index, operation, document);
						var returnValue = arrOps[operation.op].call(operation, obj, key, document);
						if (returnValue.test === false) throw new exports.JsonPatchError("Test operation failed", "TEST_OPERATION_FAILED", index, operation, document);
						return returnValue;
					}
				} else if (t >= len) {
					var returnValue = objOps[operation.op].call(operation, obj, key, document);
					if (returnValue.test === false) throw new exports.JsonPatchError("Test operation failed", "TEST_OPERATION_FAILED", index, operation, document);
					return returnValue;
				}
				obj = obj[key];
				if (validateOperation && t < len && (!obj || typeof obj !== "object")) throw new exports.JsonPatchError("Cannot perform operation at the desired path", "OPERATION_PATH_UNRESOLVABLE", index, operation, document);
			}
		}
	}
	exports.applyOperation = applyOperation;
	function applyPatch(document, patch, validateOperation, mutateDocument, banPrototypeModifications) {
		if (mutateDocument === void 0) mutateDocument = true;
		if (banPrototypeModifications === void 0) banPrototypeModifications = true;
		if (validateOperation) {
			if (!Array.isArray(patch)) throw new exports.JsonPatchError("Patch sequence must be an array", "SEQUENCE_NOT_AN_ARRAY");
		}
		if (!mutateDocument) document = helpers_js_1._deepClone(document);
		var results = new Array(patch.length);
		for (var i = 0, length_1 = patch.length; i < length_1; i++) {
			results[i] = applyOperation(document, patch[i], validateOperation, true, banPrototypeModifications, i);
			document = results[i].newDocument;
		}
		results.newDocument = document;
		return results;
	}
	exports.applyPatch = applyPatch;
	function applyReducer(document, operation, index) {
		var operationResult = applyOperation(document, operation);
		if (operationResult.test === false) throw new exports.JsonPatchError("Test operation failed", "TEST_OPERATION_FAILED", index, operation, document);
		return operationResult.newDocument;
	}
	exports.applyReducer = applyReducer;
	function validator(operation, index, document, existingPathFragment) {
		if (typeof operation !== "object" || operation === null || Array.isArray(operation)) throw new exports.JsonPatchError("Operation is not an object", "OPERATION_NOT_AN_OBJECT", index, operation, document);
		else if (!objOps[operation.op]) throw new exports.JsonPatchError("Operation `op` property is not one of operations defined in RFC-6902", "OPERATION_OP_INVALID", index, operation, document);
		else if (typeof operation.path !== "string") throw new exports.JsonPatchError("Operation `path` property is not a string", "OPERATION_PATH_INVALID", index, operation, document);
		else if (operation.path.indexOf("/") !== 0 && operation.path.length > 0) throw new exports.JsonPatchError("Operation `path` property must start with \"/\"", "OPERATION_PATH_INVALID", index, operation, document);
		else if ((operation.op === "move" || operation.op === "copy") && typeof operation.from !== "string") throw new exports.JsonPatchError("Operation `from` property is not present (applicable in `move` and `copy` operations)", "OPERATION_FROM_REQUIRED", index, operation, document);
		else if ((operation.op === "add" || operation.op === "replace" || operation.op === "test") && operation.value === void 0) throw new exports.JsonPatchError("Operation `value` property is not present (applicable in `add`, `replace` and `test` operations)", "OPERATION_VALUE_REQUIRED", index, operation, document);
		else if ((operation.op === "add" || operation.op === "replace" || operation.op === "test") && helpers_js_1.hasUndefined(operation.value)) throw new exports.JsonPatchError("Operation `value` property is not present (applicable in `add`, `replace` and `test` operations)", "OPERATION_VALUE_CANNOT_CONTAIN_UNDEFINED", index, operation, document);
		else if (document) {
			if (operation.op == "add") {
				var pathLen = operation.path.split("/").length;
				var existingPathLen = existingPathFragment.split("/").length;
				if (pathLen !== existingPathLen + 1 && pathLen !== existingPathLen) throw new exports.JsonPatchError("Cannot perform an `add` operation at the desired path", "OPERATION_PATH_CANNOT_ADD", index, operation, document);
			} else if (operation.op === "replace" || operation.op === "remove" || operation.op === "_get") {
				if (operation.path !== existingPathFragment) throw new exports.JsonPatchError("Cannot perform the operation at a path that does not exist", "OPERATION_PATH_UNRESOLVABLE", index, operation, document);
			} else if (operation.op === "move" || operation.op === "copy") {
				var error = validate([{
					op: "_get",
					path: operation.from,
					value: void 0
				}], document);
				if (error && error.name === "OPERATION_PATH_UNRESOLVABLE") throw new exports.JsonPatchError("Cannot perform the operation from a path that does not exist", "OPERATION_FROM_UNRESOLVABLE", index, operation, document);
			}
		}
	}
	exports.validator = validator;
	function validate(sequence, document, externalValidator) {
		try {
			if (!Array.isArray(sequence)) throw new exports.JsonPatchError("Patch sequence must be an array", "SEQUENCE_NOT_AN_ARRAY");
			if (document) applyPatch(helpers_js_1._deepClone(document), helpers_js_1._deepClone(sequence), externalValidator || true);
			else {
				externalValidator = externalValidator || validator;
				for (var i = 0; i < sequence.length; i++) externalValidator(sequence[i], i, document, void 0);
			}
		} catch (e) {
			if (e instanceof exports.JsonPatchError) return e;
			else throw e;
		}
	}
	exports.validate = validate;
	function _areEquals(a, b) {
		if (a === b) return true;
		if (a && b && typeof a == "object" && typeof b == "object") {
			var arrA = Array.isArray(a), arrB = Array.isArray(b), i, length, key;
			if (arrA && arrB) {
				length = a.length;
				if (length != b.length) return false;
				for (i = length; i-- !== 0;) if (!_areEquals(a[i], b[i])) return false;
				return true;
			}
			if (arrA != arrB) return false;
			var keys = Object.keys(a);
			length = keys.length;
			if (length !== Object.keys(b).length) return false;
			for (i = length; i-- !== 0;) if (!b.hasOwnProperty(keys[i])) return false;
			for (i = length; i-- !== 0;) {
				key = keys[i];
				if (!_areEquals(a[key], b[key])) return false;
			}
			return true;
		}
		return a !== a && b !== b;
	}
	exports._areEquals = _areEquals;
}));
var require_duplex = __commonJSMin(((exports) => {
	Object.defineProperty(exports, "__esModule", { value: true });
	var helpers_js_1 = require_helpers();
	var core_js_1 = require_core();
	var beforeDict = new WeakMap();
	var Mirror = function() {
		function Mirror(obj) {
			this.observers = new Map();
			this.obj = obj;
		}
		return Mirror;
	}();
	var ObserverInfo = function() {
		function ObserverInfo(callback, observer) {
			this.callback = callback;
			this.observer = observer;
		}
		return ObserverInfo;
	}();
	function getMirror(obj) {
		return beforeDict.get(obj);
	}
	function getObserverFromMirror(mirror, callback) {
		return mirror.observers.get(callback);
	}
	function removeObserverFromMirror(mirror, observer) {
		mirror.observers.delete(observer.callback);
	}
	function unobserve(root, observer) {
		observer.unobserve();
	}
	exports.unobserve = unobserve;
	function observe(obj, callback) {
		var patches = [];
		var observer;
		var mirror = getMirror(obj);
		if (!mirror) {
			mirror = new Mirror(obj);
			beforeDict.set(obj, mirror);
		} else {
			var observerInfo = getObserverFromMirror(mirror, callback);
			observer = observerInfo && observerInfo.observer;
		}
		if (observer) return observer;
		observer = {};
		mirror.value = helpers_js_1._deepClone(obj);
		if (callback) {
			observer.callback = callback;
			observer.next = null;
			var dirtyCheck = function() {
				generate(observer);
			};
			var fastCheck = function() {
				clearTimeout(observer.next);
				observer.next = setTimeout(dirtyCheck);
			};
			if (typeof window !== "undefined") {
				window.addEventListener("mouseup", fastCheck);
				window.addEventListener("keyup", fastCheck);
				window.addEventListener("mousedown", fastCheck);
				window.addEventListener("keydown", fastCheck);
				window.addEventListener("change", fastCheck);
			}
		}
		observer.patches = patches;
		observer.object = obj;
		observer.unobserve = function() {
			generate(observer);
			clearTimeout(observer.next);
			removeObserverFromMirror(mirror, observer);
			if (typeof window !== "undefined") {
				window.removeEventListener("mouseup", fastCheck);
				window.removeEventListener("keyup", fastCheck);
				window.removeEventListener("mousedown", fastCheck);
				window.removeEventListener("keydown", fastCheck);
				window.removeEventListener("change", fastCheck);
			}
		};
		mirror.observers.set(callback, new ObserverInfo(callback, observer));
		return observer;
	}
	exports.observe = observe;
	function generate(observer, invertible) {
		if (invertible === void 0) invertible = false;
		var mirror = beforeDict.get(observer.object);
		_generate(mirror.value, observer.object, observer.patches, "", invertible);
		if (observer.patches.length) core_js_1.applyPatch(mirror.value, observer.patches);
		var temp = observer.patches;
		if (temp.length > 0) {
			observer.patches = [];
			if (observer.callback) observer.callback(temp);
		}
		return temp;
	}
	exports.generate = generate;
	function _generate(mirror, obj, patches, path, invertible) {
		if (obj === mirror) return;
		if (typeof obj.toJSON === "function") obj = obj.toJSON();
		var newKeys = helpers_js_1._objectKeys(obj);
		var oldKeys = helpers_js_1._objectKeys(mirror);
		var deleted = false;
		for (var t = oldKeys.length - 1; t >= 0; t--) {
			var key = oldKeys[t];
			var oldVal = mirror[key];
			if (helpers_js_1.hasOwnProperty(obj, key) && !(obj[key] === void 0 && oldVal !== void 0 && Array.isArray(obj) === false)) {
				var newVal = obj[key];
				if (typeof oldVal == "object" && oldVal != null && typeof newVal == "object" && newVal != null && Array.isArray(oldVal) === Array.isArray(newVal)) _generate(oldVal, newVal, patches, path + "/" + helpers_js_1.escapePathComponent(key), invertible);
				else if (oldVal !== newVal) {
					if (invertible) patches.push({
						op: "test",
						path: path + "/" + helpers_js_1.escapePathComponent(key),
						value: helpers_js_1._deepClone(oldVal)
					});
					patches.push({
						op: "replace",
						path: path + "/" + helpers_js_1.escapePathComponent(key),
						value: helpers_js_1._deepClone(newVal)
					});
				}
			} else if (Array.isArray(mirror) === Array.isArray(obj)) {
				if (invertible) patches.push({
					op: "test",
					path: path + "/" + helpers_js_1.escapePathComponent(key),
					value: helpers_js_1._deepClone(oldVal)
				});
				patches.push({
					op: "remove",
					path: path + "/" + helpers_js_1.escapePathComponent(key)
				});
				deleted = true;
			} else {
				if (invertible) patches.push({
					op: "test",
					path,
					value: mirror
				});
				patches.push({
					op: "replace",
					path,
					value: obj
				});
			}
		}
		if (!deleted && newKeys.length == oldKeys.length) return;
		for (var t = 0; t < newKeys.length; t++) {
			var key = newKeys[t];
			if (!helpers_js_1.hasOwnProperty(mirror, key) && obj[key] !== void 0) patches.push({
				op: "add",
				path: path + "/" + helpers_js_1.escapePathComponent(key),
				value: helpers_js_1._deepClone(obj[key])
			});
		}
	}
	function compare(tree1, tree2, invertible) {
		if (invertible === void 0) invertible = false;
		var patches = [];
		_generate(tree1, tree2, patches, "", invertible);
		return patches;
	}
	exports.compare = compare;
}));
var import_fast_json_patch = __toESM(__commonJSMin(((exports) => {
	var core = require_core();
	Object.assign(exports, core);
	var duplex = require_duplex();
	Object.assign(exports, duplex);
	var helpers = require_helpers();
	exports.JsonPatchError = helpers.PatchError;
	exports.deepClone = helpers._deepClone;
	exports.escapePathComponent = helpers.escapePathComponent;
	exports.unescapePathComponent = helpers.unescapePathComponent;
}))(), 1);
function prove(live, desired, patch, { unordered = [] } = {}) {
	for (const run of [evaluate, evaluateElsewhere]) if (!equalInAnyOrder(run(live, patch), desired, unordered)) throw new PatchError(-1, "The patch applies, but it does not lead to the desired document.");
}
function evaluateElsewhere(live, patch) {
	try {
		return import_fast_json_patch.default.applyPatch(structuredClone(live), structuredClone([...patch]), true).newDocument;
	} catch (error) {
		throw new PatchError(-1, `fast-json-patch refuses the patch: ${error instanceof Error ? error.name : "error"}.`);
	}
}
function alignByName(before, after, mayBeSame = () => false) {
	const old = elementsOf(before);
	const next = elementsOf(after);
	const oldByKey = new Map(old.map((element) => [element.key, element]));
	const kept = next.flatMap((element) => {
		const same = oldByKey.get(element.key);
		return same ? [{
			before: same,
			after: element
		}] : [];
	});
	const keys = new Set(kept.map(({ after }) => after.key));
	return {
		kept,
		...pairByPlace(leftOver(old, keys), leftOver(next, keys), mayBeSame)
	};
}
function isReordered({ kept, renamed }) {
	const places = [...kept, ...renamed].toSorted((a, b) => a.after.index - b.after.index).map(({ before }) => before.index);
	return places.some((place, index) => place < (places[index - 1] ?? 0));
}
function elementsOf(list) {
	const seen = new Map();
	return list.map((value, index) => {
		const name = nameOf(value) ?? `${index + 1}`;
		const earlier = seen.get(name) ?? 0;
		seen.set(name, earlier + 1);
		return {
			name,
			index,
			value,
			key: JSON.stringify([name, earlier])
		};
	});
}
function nameOf(value) {
	const name = isObject$1(value) ? value["name"] : void 0;
	return typeof name === "string" ? name : void 0;
}
function leftOver(elements, keys) {
	let place = "";
	return elements.flatMap((element) => {
		if (!keys.has(element.key)) return [{
			element,
			place
		}];
		place = element.key;
		return [];
	});
}
function pairByPlace(gone, fresh, mayBeSame) {
	const removed = new Set(gone);
	const added = [];
	const renamed = [];
	for (const { element, place } of fresh) {
		const same = removed.values().find((left) => left.place === place && mayBeSame(left.element.value, element.value));
		if (same) renamed.push({
			before: same.element,
			after: element
		});
		else added.push(element);
		if (same) removed.delete(same);
	}
	return {
		removed: [...removed].map(({ element }) => element),
		added,
		renamed
	};
}
const knownWidenings = [
	[
		"TINYINT",
		"SMALLINT",
		"INT",
		"BIGINT",
		"FLOAT",
		"DOUBLE"
	],
	[
		"CHAR",
		"VARCHAR",
		"TEXT",
		"MEDIUMTEXT",
		"LONGTEXT"
	],
	["TINYTEXT", "TEXT"],
	[
		"BINARY",
		"VARBINARY",
		"BLOB",
		"MEDIUMBLOB",
		"LONGBLOB"
	]
];
const synonyms = {
	BYTEINT: "TINYINT",
	INTEGER: "INT",
	LONG: "BIGINT",
	REAL: "FLOAT",
	"DOUBLE PRECISION": "DOUBLE",
	NUMERIC: "DECIMAL",
	NUMBER: "DECIMAL",
	CHARACTER: "CHAR",
	"CHARACTER VARYING": "VARCHAR",
	STRING: "TEXT",
	BOOL: "BOOLEAN"
};
const typeMembers = [
	"dataType",
	"arrayDataType",
	"dataLength",
	"precision",
	"scale"
];
function columnType(column) {
	const { name, sizes } = splitSizes(text(column["dataType"]));
	const scale = number(column["scale"]) ?? sizes[1];
	const precision = number(column["precision"]) ?? (name === "DECIMAL" ? sizes[0] : void 0);
	return {
		name,
		element: splitSizes(text(column["arrayDataType"])).name,
		length: precision === void 0 ? number(column["dataLength"]) ?? sizes[0] : precision - (scale ?? 0),
		scale
	};
}
function text(value) {
	return typeof value === "string" ? value : "";
}
function number(value) {
	return typeof value === "number" ? value : void 0;
}
function splitSizes(type) {
	const [, name = type, sizes = ""] = /^([^()<>]+)\(([\d\s,]+)\)\s*$/u.exec(type) ?? [];
	const upper = name.trim().toUpperCase();
	return {
		name: Object.hasOwn(synonyms, upper) ? synonyms[upper] ?? upper : upper,
		sizes: sizes === "" ? [] : sizes.split(",").map(Number)
	};
}
function compareTypes(before, after, widenings) {
	const [from, to] = before.name === after.name ? [before.element, after.element] : [before.name, after.name];
	if (from === to) return compareSizes(before, after);
	if (isWider(to, from, widenings)) return isCut(before, after) ? "narrower" : "wider";
	return isWider(from, to, widenings) ? "narrower" : "other";
}
function compareSizes(before, after) {
	const steps = ["length", "scale"].map((size) => (after[size] ?? Infinity) - (before[size] ?? Infinity));
	if (steps.some((step) => step < 0)) return "shorter";
	return steps.some((step) => step > 0) ? "longer" : "same";
}
function isCut(before, after) {
	return before.length !== void 0 && after.length !== void 0 && after.length < before.length;
}
function isWider(wide, narrow, widenings) {
	const reached = new Set([narrow]);
	for (const type of reached) for (const chain of widenings) {
		const next = chain[chain.indexOf(type) + 1];
		if (chain.includes(type) && next !== void 0) reached.add(next);
	}
	return reached.has(wide);
}
function parseWidening(types) {
	return types.map((type) => splitSizes(type).name);
}
function compareColumns(before, after, part, widenings) {
	return [
		...compareColumnTypes(before, after, part, widenings),
		...compareConstraints(before["constraint"], after["constraint"], part),
		...changedMembers(before, after).filter((member) => !judgedElsewhere.has(member)).map((member) => memberChanged(member, part))
	];
}
const judgedElsewhere = new Set([
	"name",
	"children",
	"constraint",
	...typeMembers
]);
function changedMembers(before, after) {
	return [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((member) => !deepEqual(before[member], after[member]));
}
function memberChanged(member, { label, pointer }) {
	return {
		rule: memberRules.get(member) ?? "other-changed",
		message: `${label} changes its \`${member}\`.`,
		pointer: [...pointer, member]
	};
}
const memberRules = new Map([["description", "description-changed"], ["tags", "tags-changed"]]);
function compareColumnTypes(before, after, { label, pointer }, widenings) {
	if (typeMembers.every((member) => deepEqual(before[member], after[member]))) return [];
	return [{
		rule: ruleOfType[compareTypes(columnType(before), columnType(after), widenings)],
		message: `${label} changes its type from ${spell$2(before)} to ${spell$2(after)}.`,
		pointer: [...pointer, "dataType"]
	}];
}
const ruleOfType = {
	same: "other-changed",
	shorter: "length-shortened",
	longer: "length-extended",
	wider: "type-widened",
	narrower: "type-narrowed",
	other: "type-changed"
};
function spell$2(column) {
	const { dataType, arrayDataType, dataLength, precision, scale } = column;
	const sizes = [precision ?? dataLength, scale].filter((size) => typeof size === "number");
	return `${typeof dataType === "string" ? dataType : "no type"}${typeof arrayDataType === "string" ? `<${arrayDataType}>` : ""}${sizes.length > 0 ? `(${sizes.join(", ")})` : ""}`;
}
function compareConstraints(before, after, { label, pointer }) {
	if (deepEqual(before, after)) return [];
	return [{
		rule: ruleOfConstraint(constraint(before), constraint(after)),
		message: `${label} changes its constraint from ${spellConstraint(before)} to ${spellConstraint(after)}.`,
		pointer: [...pointer, "constraint"]
	}];
}
function constraint(value) {
	const name = typeof value === "string" ? value.trim().toUpperCase().replaceAll(" ", "_") : "";
	return {
		required: name === "NOT_NULL" || name === "PRIMARY_KEY",
		unique: name === "UNIQUE" || name === "PRIMARY_KEY"
	};
}
function ruleOfConstraint(before, after) {
	if (before.required && !after.required) return "required-dropped";
	if (before.unique && !after.unique) return "unique-dropped";
	if (!before.unique && after.unique) return "unique-added";
	return !before.required && after.required ? "required-added" : "other-changed";
}
function spellConstraint(value) {
	if (value === void 0 || value === null) return "none";
	return isArray(value) || typeof value === "object" ? JSON.stringify(value) : String(value);
}
function compareSchemas(before, after, widenings) {
	const [old, next] = [listOf$1(before), listOf$1(after)];
	if (old.length > 0 && next.length === 0) return [{
		rule: "contract-emptied",
		message: "The schema is removed.",
		pointer: ["schema"]
	}];
	return compareLists(old, next, {
		names: [],
		pointer: ["schema"]
	}, widenings);
}
function listOf$1(value) {
	return isArray(value) ? value : [];
}
function compareLists(before, after, place, widenings) {
	const alignment = alignByName(before, after, sameType);
	const { removed, added, kept, renamed } = alignment;
	return [
		...removed.map((column) => ({
			rule: "column-removed",
			message: `${labelOf(column, place)} is removed.`,
			pointer: place.pointer
		})),
		...renamed.map(({ before, after }) => ({
			rule: "column-renamed",
			message: `${labelOf(before, place)} is renamed to ${after.name}.`,
			pointer: [
				...place.pointer,
				String(after.index),
				"name"
			]
		})),
		...added.map((column) => ({
			rule: "column-added",
			message: `${labelOf(column, place)} is added.`,
			pointer: [...place.pointer, String(column.index)]
		})),
		...[...kept, ...renamed].flatMap((pair) => comparePair(pair, place, widenings)),
		...isReordered(alignment) ? [reordered$1(place)] : []
	];
}
function comparePair({ before, after }, place, widenings) {
	const pointer = [...place.pointer, String(after.index)];
	const part = {
		label: labelOf(after, place),
		pointer
	};
	if (!isObject$1(before.value) || !isObject$1(after.value)) return deepEqual(before.value, after.value) ? [] : [{
		rule: "other-changed",
		message: `${part.label} changes.`,
		pointer
	}];
	const children = {
		names: [...place.names, after.name],
		pointer: [...pointer, "children"]
	};
	return [...compareColumns(before.value, after.value, part, widenings), ...compareLists(listOf$1(before.value["children"]), listOf$1(after.value["children"]), children, widenings)];
}
function sameType(before, after) {
	return isObject$1(before) && isObject$1(after) && compareTypes(columnType(before), columnType(after), []) === "same";
}
function labelOf({ name }, { names }) {
	return `Column ${[...names, name].join(" › ")}`;
}
function reordered$1({ names, pointer }) {
	return {
		rule: "order-changed",
		message: `The columns${names.length > 0 ? ` of ${names.join(" › ")}` : ""} are reordered.`,
		pointer
	};
}
function compareSemantics(before, after) {
	const alignment = alignByName(listOf(before), listOf(after));
	return [
		...alignment.removed.map(({ name }) => {
			return {
				rule: "semantics-rule-removed",
				message: `Semantic rule "${name}" is removed.`,
				pointer: ["semantics"]
			};
		}),
		...alignment.added.map(({ name, index }) => {
			return {
				rule: "semantics-rule-added",
				message: `Semantic rule "${name}" is added.`,
				pointer: ["semantics", String(index)]
			};
		}),
		...alignment.kept.flatMap(compareRules),
		...isReordered(alignment) ? [reordered] : []
	];
}
function listOf(value) {
	return isArray(value) ? value : [];
}
function compareRules({ before, after }) {
	const part = {
		label: `Semantic rule "${after.name}"`,
		pointer: ["semantics", String(after.index)]
	};
	if (!isObject$1(before.value) || !isObject$1(after.value)) return [];
	const [old, next] = [before.value, after.value];
	return [...new Set([...Object.keys(old), ...Object.keys(next)])].filter((member) => !deepEqual(old[member], next[member])).map((member) => member === "enabled" && next[member] === false ? disabled(part) : memberChanged(member, part));
}
function disabled({ label, pointer }) {
	return {
		rule: "semantics-rule-disabled",
		message: `${label} is switched off.`,
		pointer: [...pointer, "enabled"]
	};
}
const reordered = {
	rule: "order-changed",
	message: "The semantic rules are reordered.",
	pointer: ["semantics"]
};
const promises$1 = new Map([
	["refreshFrequency", "less"],
	["maxLatency", "less"],
	["latency", "less"],
	["availabilityTime", "less"],
	["retention", "more"],
	["availability", "more"]
]);
function compareServiceLevels(before, after) {
	const old = isObject$1(before) ? before : {};
	if (Object.keys(old).length > 0 && !isObject$1(after)) return [{
		rule: "sla-worsened",
		message: "The SLA section is removed.",
		pointer: ["sla"]
	}];
	const next = isObject$1(after) ? after : {};
	return [...new Set([...Object.keys(old), ...Object.keys(next)])].filter((member) => !deepEqual(old[member], next[member])).map((member) => promiseChanged(member, old, next));
}
function promiseChanged(member, old, next) {
	const pointer = ["sla", member];
	const [before, after] = [old[member], next[member]];
	const better = promises$1.get(member);
	if (better !== void 0 && before !== void 0 && isNothing(after)) return {
		rule: "sla-worsened",
		message: `\`${member}\` is promised no more.`,
		pointer
	};
	if (better !== void 0 && isWorse(before, after, better)) return {
		rule: "sla-worsened",
		message: `\`${member}\` gets worse: from ${spell$1(before)} to ${spell$1(after)}.`,
		pointer
	};
	return {
		rule: "other-changed",
		message: `The SLA changes its \`${member}\`.`,
		pointer
	};
}
function isNothing(value) {
	return value === void 0 || value === null;
}
function isWorse(before, after, better) {
	const [old, next] = [measure(before), measure(after)];
	if (!old || !next || old.unit !== next.unit) return false;
	return better === "less" ? next.amount > old.amount : next.amount < old.amount;
}
function measure(value) {
	if (typeof value === "number") return {
		amount: value,
		unit: ""
	};
	if (typeof value === "string") return measureText(value);
	if (!isObject$1(value)) return void 0;
	const amount = [
		"interval",
		"value",
		"period"
	].map((name) => value[name]).find(isNumber);
	const unit = typeof value["unit"] === "string" ? value["unit"].toLowerCase() : "";
	const seconds = secondsIn.get(unit.replace(/s$/u, ""));
	if (amount === void 0) return void 0;
	return seconds === void 0 ? {
		amount,
		unit
	} : {
		amount: amount * seconds,
		unit: "second"
	};
}
function isNumber(value) {
	return typeof value === "number";
}
function measureText(text) {
	const [, hours, minutes] = /^(\d{1,2}):(\d{2})$/u.exec(text) ?? [];
	if (hours !== void 0) return {
		amount: 60 * Number(hours) + Number(minutes),
		unit: "time"
	};
	const [, percent] = /^(\d+(?:\.\d+)?)\s*%$/u.exec(text) ?? [];
	return percent === void 0 ? void 0 : {
		amount: Number(percent),
		unit: "percent"
	};
}
const day = 86400;
const secondsIn = new Map([
	["second", 1],
	["minute", 60],
	["hour", 3600],
	["day", day],
	["week", 7 * day],
	["month", 365 / 12 * day],
	["year", 365 * day]
]);
function spell$1(value) {
	if (typeof value !== "object" || value === null) return String(value);
	const parts = Object.values(value);
	return parts.every((part) => typeof part !== "object") ? parts.join(" ") : JSON.stringify(value);
}
function compareContracts(before, after, widenings) {
	return managedFields.filter((field) => !deepEqual(before[field], after[field])).flatMap((field) => compareField(field, [before[field], after[field]], widenings));
}
function compareField(field, [before, after], widenings) {
	switch (field) {
		case "entityStatus": return [];
		case "description": return [{
			rule: "description-changed",
			message: "The description of the contract changes.",
			pointer: [field]
		}];
		case "schema": return compareSchemas(before, after, widenings);
		case "semantics": return compareSemantics(before, after);
		case "sla": return compareServiceLevels(before, after);
		case "owners": return [isEmpty(after) && !isEmpty(before) ? ownersEmptied : otherChanged(field)];
		case "reviewers":
		case "extension": return [otherChanged(field)];
	}
}
function isEmpty(value) {
	return !isArray(value) || value.length === 0;
}
const ownersEmptied = {
	rule: "owners-emptied",
	message: "All owners are removed.",
	pointer: ["owners"]
};
function otherChanged(field) {
	return {
		rule: "other-changed",
		message: `\`${field}\` changes.`,
		pointer: [field]
	};
}
const compatibilityRules = {
	"column-removed": {
		says: "A column is gone.",
		forward: "breaking",
		backward: "information"
	},
	"column-renamed": {
		says: "A column of the same type stands in the place of another.",
		forward: "breaking",
		backward: "breaking"
	},
	"type-changed": {
		says: "A type became another that neither holds the old one nor fits into it.",
		forward: "breaking",
		backward: "breaking"
	},
	"type-narrowed": {
		says: "A type became one that holds less.",
		forward: "breaking",
		backward: "breaking"
	},
	"length-shortened": {
		says: "A length, precision or scale went down, or is limited now.",
		forward: "breaking",
		backward: "breaking"
	},
	"required-dropped": {
		says: "NOT_NULL or PRIMARY_KEY is gone: values may be missing.",
		forward: "breaking",
		backward: "information"
	},
	"unique-dropped": {
		says: "UNIQUE or PRIMARY_KEY is gone: values may repeat.",
		forward: "breaking",
		backward: "information"
	},
	"sla-worsened": {
		says: "An interval or latency went up, a retention or availability down, or is promised no more.",
		forward: "breaking",
		backward: "information"
	},
	"contract-emptied": {
		says: "The whole schema is gone.",
		forward: "breaking",
		backward: "breaking"
	},
	"type-widened": {
		says: "A type became one that holds all of the old one, and more.",
		forward: "warning",
		backward: "information"
	},
	"length-extended": {
		says: "A length, precision or scale went up, or is limited no more.",
		forward: "warning",
		backward: "information"
	},
	"semantics-rule-removed": {
		says: "A semantic rule is gone.",
		forward: "warning",
		backward: "information"
	},
	"semantics-rule-disabled": {
		says: "A semantic rule is switched off.",
		forward: "warning",
		backward: "information"
	},
	"owners-emptied": {
		says: "Nobody owns the contract any more.",
		forward: "warning",
		backward: "warning"
	},
	"unique-added": {
		says: "Values may not repeat any more.",
		forward: "warning",
		backward: "breaking"
	},
	"column-added": {
		says: "There is a new column.",
		forward: "information",
		backward: "warning"
	},
	"required-added": {
		says: "Values may not be missing any more.",
		forward: "information",
		backward: "breaking"
	},
	"semantics-rule-added": {
		says: "There is a new semantic rule.",
		forward: "information",
		backward: "warning"
	},
	"description-changed": {
		says: "A description is new, another or gone.",
		forward: "information",
		backward: "information"
	},
	"order-changed": {
		says: "Columns or rules stand in another order.",
		forward: "information",
		backward: "information"
	},
	"tags-changed": {
		says: "Tags are new, others or gone.",
		forward: "information",
		backward: "information"
	},
	"other-changed": {
		says: "Anything that no other rule is about.",
		forward: "information",
		backward: "information"
	}
};
function impactOf(rule, mode) {
	const { forward, backward } = compatibilityRules[rule];
	switch (mode) {
		case "forward": return forward;
		case "backward": return backward;
		case "full": return gravest.find((impact) => impact === forward || impact === backward);
		case "none": return;
	}
}
const gravest = [
	"breaking",
	"warning",
	"information"
];
const defaultCompatibility = {
	mode: "forward",
	levels: new Map([
		["Draft", "off"],
		["Active", "error"],
		["Deprecated", "warn"]
	]),
	widenings: knownWidenings
};
function judgeCompatibility(live, target, desired, { mode, levels, widenings }) {
	const level = levels.get(live.entityStatus ?? "") ?? "error";
	if (level === "off" || mode === "none") return [];
	return sortDiagnostics(compareContracts(live.document, target, widenings).flatMap(({ rule, message, pointer }) => {
		const impact = impactOf(rule, mode);
		if (impact === void 0) return [];
		const severity = severityOf(impact, level);
		const source = desired.locate(pointer);
		return [{
			code: rule,
			severity,
			message,
			...severity === "error" && { hint },
			source,
			impact
		}];
	}));
}
const hint = "Take it back, or agree with the consumers and add an exception to `allow` in the configuration.";
function severityOf(impact, level) {
	switch (impact) {
		case "breaking": return level === "error" ? "error" : "warning";
		case "warning":
		case "information": return impact;
	}
}
function parseNamePattern(text) {
	return segmentsOf(text);
}
function matchesName(patterns, names) {
	if (patterns.length === 0) return false;
	return names.some((name) => {
		const segments = segmentsOf(name);
		return patterns.some((pattern) => matchesSegments(pattern, segments));
	});
}
function matchesSegments(pattern, segments) {
	return matchesSequence(pattern, segments, anySegments);
}
function segmentsOf(name) {
	return name.includes("\"") ? name.match(/(?:"[^"]*"|[^."])+/gu) ?? [] : name.split(".");
}
const anyCharacters = {
	symbol: "*",
	matchesItem: (pattern, item) => pattern === item
};
const anySegments = {
	symbol: "**",
	matchesItem: (pattern, item) => matchesSequence(pattern, item, anyCharacters)
};
function matchesSequence(pattern, items, { symbol, matchesItem }) {
	let at = 0;
	let lastWildcard = -1;
	let takenByWildcard = 0;
	let index = 0;
	while (index < items.length) {
		const wanted = pattern[at];
		if (wanted === symbol) {
			lastWildcard = at;
			takenByWildcard = index;
			at += 1;
		} else if (wanted !== void 0 && matchesItem(wanted, items[index] ?? "")) {
			at += 1;
			index += 1;
		} else if (lastWildcard === -1) return false;
		else {
			takenByWildcard += 1;
			index = takenByWildcard;
			at = lastWildcard + 1;
		}
	}
	while (pattern[at] === symbol) at += 1;
	return at === pattern.length;
}
function allowExceptions(problems, names, exceptions) {
	const near = exceptions.filter(({ contract }) => matchesName([contract], names));
	return problems.flatMap((problem) => {
		if (problem.severity !== "error" || near.length === 0) return [problem];
		const covering = near.filter(({ rule }) => rule === problem.code);
		const valid = covering.find(({ expired }) => !expired);
		return valid ? [allow(problem, valid)] : [problem, ...covering.map(expired)];
	});
}
function allow(problem, { reason, until }) {
	const term = until === void 0 ? "" : ` until ${until}`;
	return {
		...problem,
		severity: "warning",
		hint: `Allowed${term}: ${reason}`,
		allowed: {
			reason,
			...until !== void 0 && { until }
		}
	};
}
function expired({ rule, reason, until, source }) {
	return {
		code: "exception-expired",
		severity: "error",
		message: `The exception for ${rule} (${reason}) ended on ${until}.`,
		hint: "Agree on a later day and set `until`, or take the change back.",
		source
	};
}
function judgeScope(names, source, scope) {
	if (scope.length === 0 || names.length === 0 || matchesName(scope, names)) return [];
	return [{
		code: "outside-scope",
		severity: "error",
		message: "This contract is outside of the `scope` that the configuration gives this repository.",
		hint: "Remove the file, or widen `scope` if the contract belongs to this repository.",
		source
	}];
}
function judgeProtection(names, source, protectedNames) {
	if (!matchesName(protectedNames, names)) return [];
	return [{
		code: "contract-protected",
		severity: "error",
		message: "This contract is protected: the configuration allows no change of it.",
		hint: "Take the change back, or have the name taken from `protected` in the configuration.",
		source
	}];
}
const deprecated = "Deprecated";
const defaultLifecycle = {
	statuses: [
		"Draft",
		"Active",
		deprecated
	],
	transitions: [
		{
			from: "Draft",
			to: "Active"
		},
		{
			from: "Active",
			to: deprecated
		},
		{
			from: "Draft",
			to: deprecated
		},
		{
			from: deprecated,
			to: "Active",
			rule: "warn"
		}
	]
};
function ruleFor({ from, to }, lifecycle) {
	if (from === null) return "allow";
	const listed = lifecycle.transitions.find((move) => move.from === from && move.to === to);
	return listed ? listed.rule ?? "allow" : "block";
}
function nextStatuses(from, lifecycle) {
	return lifecycle.transitions.filter((move) => move.from === from && move.rule !== "block").map(({ to }) => to);
}
function pathBetween({ from, to }, lifecycle) {
	return shortestPath(from, to, lifecycle.transitions.filter(({ rule }) => rule !== "block"));
}
function pathSkippedBy({ from, to }, { statuses, transitions }) {
	const rank = (status) => statuses.indexOf(status);
	return shortestPath(from, to, transitions.filter((move) => (move.rule ?? "allow") === "allow" && rank(move.from) < rank(move.to) && !(move.from === from && move.to === to)));
}
function shortestPath(from, to, moves) {
	const paths = from === null ? [] : [[from]];
	const reached = new Set([from]);
	for (const path of paths) {
		if (path.at(-1) === to) return path;
		for (const move of moves) {
			if (move.from !== path.at(-1) || reached.has(move.to)) continue;
			reached.add(move.to);
			paths.push([...path, move.to]);
		}
	}
}
function findTransition(live, target) {
	const from = status(live["entityStatus"]);
	const to = status(target["entityStatus"]);
	return from === to ? void 0 : {
		from,
		to
	};
}
function status(value) {
	return typeof value === "string" ? value : null;
}
function judgeTransition(transition, { locate }, lifecycle) {
	const source = locate(["entityStatus"]);
	const move = spell([transition.from, transition.to]);
	switch (ruleFor(transition, lifecycle)) {
		case "allow": return jump(transition, lifecycle, source);
		case "warn": return [{
			code: "transition-unusual",
			severity: "warning",
			message: `The transition ${move} is unusual.`,
			hint: "It is applied as it stands; check that it is meant.",
			source
		}];
		case "block": return [{
			code: "transition-blocked",
			severity: "error",
			message: `The lifecycle does not allow the transition ${move}.`,
			hint: wayOut(transition, lifecycle),
			source
		}];
	}
}
function spell(statuses) {
	return statuses.map((status) => status ?? "no status").join(" → ");
}
function jump(transition, lifecycle, source) {
	const path = pathSkippedBy(transition, lifecycle);
	if (!path) return [];
	return [{
		code: "transition-jumps",
		severity: "information",
		message: `The transition ${spell([transition.from, transition.to])} leaves out ${path.slice(1, -1).join(", ")}.`,
		hint: `The whole path is ${spell(path)}; the lifecycle allows the jump.`,
		source
	}];
}
function wayOut(transition, lifecycle) {
	const otherwise = "add the transition to `lifecycle.transitions` in the configuration.";
	const path = pathBetween(transition, lifecycle);
	if (path) return `The path is ${spell(path)}, one apply for each step; or ${otherwise}`;
	const next = transition.from === null ? [] : nextStatuses(transition.from, lifecycle);
	return next.length > 0 ? `From ${transition.from} a contract may become ${next.join(" or ")}. Else ${otherwise}` : `A${otherwise.slice(1)}`;
}
function judgeClaim(live, desired, { scope }) {
	return [...identityConflicts(live, desired), ...judgeScope(qualifiedNames(live), desired.source, scope)];
}
function judgeChange({ live, desired, target, transition }, rules) {
	const names = qualifiedNames(live);
	const effects = judgeCompatibility(live, target, desired, rules.compatibility);
	return [
		...judgeProtection(names, desired.source, rules.protected),
		...transition ? judgeTransition(transition, desired, rules.lifecycle) : [],
		...allowExceptions(effects, names, rules.exceptions)
	];
}
function planContract(live, desired, rules) {
	const target = targetDocument(live, desired.managed, rules.equivalence, rules.arrays);
	const documents = {
		live: live.document,
		target
	};
	const edits = transitionFirst(diff(documents.live, target, rules.arrays));
	const claims = judgeClaim(live, desired, rules);
	const shared = pairOf(live, desired);
	if (edits.length === 0) return {
		action: "unchanged",
		...shared,
		problems: claims
	};
	proveEdits(edits, documents, live, rules.arrays);
	const transition = findTransition(documents.live, target);
	const problems = [...claims, ...judgeChange({
		live,
		desired,
		target,
		transition
	}, rules)];
	return {
		action: hasErrors(problems) ? "blocked" : "update",
		...shared,
		...live.entity?.id !== void 0 && { entityId: live.entity.id },
		predictedVersions: predict(live, edits),
		...transition && { transition },
		patch: edits.map(({ operation }) => operation),
		changes: edits.map((edit) => describeEdit(edit, documents, desired, rules.arrays)),
		target: touchedFields(edits, target),
		problems
	};
}
function pairOf(live, { source }) {
	const { id, version, updatedAt } = live;
	return {
		id,
		...namesOf(live),
		source,
		...version !== void 0 && { liveVersion: version },
		...updatedAt !== void 0 && { liveUpdatedAt: updatedAt }
	};
}
function planMissing({ identity, source }, { scope }) {
	const { id, entity } = identity;
	return {
		action: "missing",
		...id !== void 0 && { id },
		...namesOf(identity),
		...entity && { entity },
		source,
		problems: [...judgeScope(qualifiedNames(identity), source, scope), missing(source)]
	};
}
function missing(source) {
	return {
		code: "contract-missing",
		severity: "warning",
		message: "The catalog has no such contract.",
		hint: "Create it in the catalog first, or correct its identity: contracts are updated, never created.",
		source
	};
}
function namesOf({ name, fullyQualifiedName }) {
	return {
		...name !== void 0 && { name },
		...fullyQualifiedName !== void 0 && { fullyQualifiedName }
	};
}
function transitionFirst(edits) {
	const { status = [], other = [] } = Object.groupBy(edits, ({ operation }) => operation.path === "/entityStatus" ? "status" : "other");
	return [...status, ...other];
}
function predict({ version }, edits) {
	if (version === void 0) return [];
	return predictVersions(version, touched(edits));
}
function touchedFields(edits, target) {
	return Object.fromEntries(touched(edits).map((field) => [field, target[field] ?? null]));
}
function touched(edits) {
	return edits.map(({ live, desired }) => (desired ?? live ?? [])[0] ?? "");
}
function proveEdits(edits, { live, target }, { id, fullyQualifiedName }, arrays) {
	try {
		prove(live, target, edits.map(({ operation }) => operation), arrays);
	} catch (error) {
		throw new SyncError("patch-not-proved", `The patch computed for ${fullyQualifiedName ?? id} does not lead to its file's content, so nothing was planned.`, {
			hint: "This is a bug in contract-sync: please report it with the contract.",
			cause: error
		});
	}
}
const limitNames = ["updates", "deprecations"];
const defaultLimits = {
	updates: {
		kind: "share",
		percent: 50
	},
	deprecations: {
		kind: "share",
		percent: 20
	},
	from: 10
};
function parseLimit(text) {
	if (typeof text === "number") return {
		kind: "count",
		most: text
	};
	const [, percent] = /^(\d{1,3}(?:\.\d+)?)%$/u.exec(text) ?? [];
	return percent === void 0 || Number(percent) > 100 ? void 0 : {
		kind: "share",
		percent: Number(percent)
	};
}
function enforceLimits(plan, limits, overrides = []) {
	const estate = estateOf(plan);
	const exceeded = limitNames.map((limit) => ({
		limit,
		touched: touchedBy(plan, limit),
		estate
	})).filter((excess) => estate >= limits.from && exceeds(excess, limits[excess.limit]));
	if (exceeded.length === 0) return plan;
	const lifted = exceeded.map((excess) => overrides.find(({ limit }) => limit === excess.limit)).filter((override) => override !== void 0);
	const problems = exceeded.map((excess) => explain(excess, limits[excess.limit], lifted));
	return {
		...plan,
		errored: plan.errored || hasErrors(problems),
		diagnostics: [...plan.diagnostics, ...problems],
		...lifted.length > 0 && { overrides: lifted }
	};
}
function estateOf({ contracts, selection }) {
	return contracts.filter((contract) => contract.action !== "missing" && (contract.action !== "unmanaged" || contract.inScope)).length + (selection?.leftOut.length ?? 0);
}
function touchedBy(plan, limit) {
	const changed = updates(plan);
	switch (limit) {
		case "updates": return changed.length;
		case "deprecations": return changed.filter(({ transition }) => transition?.to === deprecated).length;
	}
}
function exceeds({ touched, estate }, limit) {
	switch (limit.kind) {
		case "share": return 100 * touched > limit.percent * estate;
		case "count": return touched > limit.most;
	}
}
function explain({ limit, touched, estate }, most, lifted) {
	const override = lifted.find((candidate) => candidate.limit === limit);
	const share = Math.round(100 * touched / estate);
	const allowed = most.kind === "share" ? `${most.percent}%` : String(most.most);
	return {
		code: "limit-exceeded",
		severity: override ? "warning" : "error",
		message: `The plan ${verbs[limit]} ${touched} of ${estate} contracts (${share}%), and \`limits.${limit}\` allows ${allowed}.`,
		hint: override ? `Allowed by --allow-limit: ${override.reason}` : `If that is meant, plan again with --allow-limit ${limit} --reason "…".`
	};
}
const verbs = {
	updates: "updates",
	deprecations: "deprecates"
};
function createMatcher(desired) {
	const index = indexByKind(desired);
	const matched = new Map();
	const claims = [];
	function match(live) {
		const [contract, ...rivals] = candidates(index, live);
		if (!contract) return void 0;
		for (const rival of rivals) claims.push(claimedTwice(live, contract, rival));
		for (const claimant of [contract, ...rivals]) matched.set(claimant, [...matched.get(claimant) ?? [], live.id]);
		return contract;
	}
	function ambiguities() {
		return [...matched].flatMap(([contract, ids]) => ids.length > 1 ? [ambiguous(contract, ids)] : []);
	}
	return {
		match,
		unmatched: () => desired.filter((contract) => !matched.has(contract)),
		diagnostics: () => [...claims, ...ambiguities()]
	};
}
function indexByKind(desired) {
	const byKind = Map.groupBy(desired, ({ identity }) => strongestKind(identity));
	return identityKinds.flatMap((kind) => {
		const byKey = (byKind.get(kind) ?? []).map((contract) => [identityKey$1(kind, contract.identity) ?? "", contract]);
		return byKey.length === 0 ? [] : [[kind, new Map(byKey)]];
	});
}
function candidates(index, live) {
	const found = [];
	for (const [kind, byKey] of index) {
		const key = identityKey$1(kind, live);
		const contract = key === void 0 ? void 0 : byKey.get(key);
		if (contract) found.push(contract);
	}
	return found;
}
function claimedTwice(live, first, second) {
	const { file, line } = first.source;
	return {
		code: "contract-claimed-twice",
		severity: "error",
		message: `${contractLabel(live)} is already declared at ${file}:${line}.`,
		hint: "Keep one of the two: a contract has one file.",
		source: second.source
	};
}
function ambiguous(contract, liveIds) {
	const ids = liveIds.toSorted(compareCodeUnits).join(", ");
	return {
		code: "ambiguous-identity",
		severity: "error",
		message: `${contractLabel(contract.identity)} names more than one live contract: ${ids}.`,
		hint: "Add the `id` of the one that is meant.",
		source: contract.source
	};
}
function createSelector({ only, exclude, changed } = everything) {
	const wanted = only.map(parseSubjectPattern);
	const unwanted = exclude.map(parseSubjectPattern);
	const unused = new Set(wanted);
	const leftOut = [];
	const takesAll = only.length + exclude.length === 0 && !changed;
	function takes(subject) {
		const matching = wanted.filter(({ matches }) => matches(subject));
		for (const pattern of matching) unused.delete(pattern);
		return (wanted.length === 0 || matching.length > 0) && !unwanted.some(({ matches }) => matches(subject)) && (!changed || subject.file !== void 0 && changed.files.has(subject.file));
	}
	function select(contract, identity) {
		if (!contract) return [];
		if (takesAll) return [contract];
		const file = "source" in contract ? contract.source.file : void 0;
		if (takes({
			names: qualifiedNames(identity),
			file
		})) return [contract];
		if (contract.action !== "unmanaged") leftOut.push(contractLabel(contract));
		return [];
	}
	function summary() {
		if (takesAll) return void 0;
		const sorted = leftOut.toSorted(compareCodeUnits);
		return {
			only,
			exclude,
			...changed && { changedSince: changed.since },
			leftOut: sorted
		};
	}
	return {
		select,
		summary,
		diagnostics: () => [...unused].map(selectsNothing)
	};
}
const everything = {
	only: [],
	exclude: []
};
function parseSubjectPattern(text) {
	if (!text.includes("/") && !/\.ya?ml$/u.test(text)) {
		const pattern = parseNamePattern(text);
		return {
			text,
			matches: ({ names }) => matchesName([pattern], names)
		};
	}
	const path = text.replace(/^\.\//u, "").split("/");
	const pattern = path.length === 1 ? ["**", ...path] : path;
	return {
		text,
		matches: ({ file }) => file !== void 0 && matchesSegments(pattern, file.split("/"))
	};
}
function selectsNothing({ text }) {
	return {
		code: "nothing-selected",
		severity: "error",
		message: `--only ${JSON.stringify(text)} matches no contract.`,
		hint: "A pattern stands for a qualified name (warehouse.sales.**) or a file (contracts/sales/**)."
	};
}
function planUnmanaged(live, rules) {
	const { scope, unmanaged } = rules;
	const inScope = matchesName(scope, qualifiedNames(live));
	if (unmanaged.rule === "ignore" || scope.length > 0 && !inScope) return void 0;
	const left = {
		action: "unmanaged",
		id: live.id,
		...namesOf(live),
		...inScope && { inScope }
	};
	if (unmanaged.rule !== "deprecate" || !inScope || !isWhole(live)) return left;
	const planned = planContract(live, retirement(unmanaged.source), rules);
	if (planned.action === "unchanged") return left;
	return {
		...planned,
		problems: [withoutFile(unmanaged.source), ...planned.problems]
	};
}
function namesToRetire({ scope, unmanaged }) {
	return unmanaged.rule === "deprecate" ? scope : [];
}
function retirement(source) {
	return {
		identity: {},
		managed: { entityStatus: deprecated },
		source,
		locate: () => source
	};
}
function withoutFile(source) {
	return {
		code: "contract-without-file",
		severity: "information",
		message: "No file declares this contract, so `unmanaged: deprecate` retires it.",
		hint: "Write a file for it to keep it, or narrow `scope`.",
		source
	};
}
async function sync(run) {
	const files = openFiles(run.files, run.rules.lifecycle);
	const listing = openListing(files, run);
	try {
		const { contracts: desired, diagnostics } = await files.read(listing.toCome);
		if (hasErrors(diagnostics)) return erroredPlan(run.catalogUrl, diagnostics);
		const planner = createPlanner(desired, run);
		for await (const page of listing.pages(wantedBy(desired, othersWanted(run)))) planner.take(page);
		return planner.finish(diagnostics);
	} finally {
		listing.abandon();
	}
}
function openListing(files, run) {
	const { listed, whole } = othersWanted(run);
	if (!listed) return postponeListing(run.reader);
	const { keys, identities } = files.guess(optionalFields);
	return startListing(run.reader, {
		fields: keys,
		sieve: {
			identities,
			names: whole
		}
	});
}
function othersWanted({ rules }) {
	return {
		listed: rules.unmanaged.rule !== "ignore",
		whole: namesToRetire(rules)
	};
}
function createPlanner(desired, run) {
	const matcher = createMatcher(desired);
	const selector = createSelector(run.selection);
	const planLive = createJudge(matcher, run);
	const contracts = [];
	let read = 0;
	return {
		take: (page) => {
			for (const live of page.contracts) contracts.push(...selector.select(planLive(live), live));
			read += page.contracts.length;
			run.onPage?.(read, page.total);
		},
		finish: (diagnostics) => {
			const missing = matcher.unmatched().flatMap((file) => selector.select(planMissing(file, run.rules), file.identity));
			const problems = [
				...diagnostics,
				...matcher.diagnostics(),
				...selector.diagnostics()
			];
			const all = [...contracts, ...missing];
			return enforceLimits(makePlan(run.catalogUrl, all, problems, selector.summary()), run.rules.limits, run.overrides);
		}
	};
}
async function openJudge(run) {
	const { contracts, diagnostics } = await readContracts(run.files, run.rules.lifecycle);
	return hasErrors(diagnostics) ? void 0 : createJudge(createMatcher(contracts), run);
}
function createJudge(matcher, { rules, dialect: setting }) {
	let dialect;
	let spoken = rules;
	return (listed) => {
		if (!dialect) {
			dialect = chooseDialect(setting, listed);
			spoken = {
				...rules,
				equivalence: {
					...rules.equivalence,
					...dialect.equivalence
				}
			};
		}
		const live = dialect.complete(listed);
		const desired = isWhole(live) && matcher.match(live);
		return desired ? planContract(live, desired, spoken) : planUnmanaged(live, spoken);
	};
}
async function recoverPlan(plan, reviewedHash, session) {
	const judge = await openJudge(session);
	if (!judge) return void 0;
	const state = new Map(updates(plan).map((change) => [change.id, change]));
	try {
		for await (const write of writesBackwards(plan, session.reader)) {
			undo(write, state, judge);
			const contracts = [...state.values()];
			if (planHash(contracts) === reviewedHash) return {
				...plan,
				contracts,
				planHash: reviewedHash
			};
		}
	} catch (error) {
		if (!(error instanceof ApiError)) throw error;
	}
}
function undo({ before }, state, judge) {
	const planned = judge(before);
	if (planned?.action === "update") state.set(before.id, planned);
	else state.delete(before.id);
}
const batchSize = 32;
const mostContracts = 1024;
async function* writesBackwards(plan, reader) {
	const contracts = plan.contracts.filter(isDated).toSorted((a, b) => b.liveUpdatedAt - a.liveUpdatedAt);
	const limit = pLimit(8);
	let pending = [];
	for (let read = 0; read < Math.min(contracts.length, mostContracts); read += batchSize) {
		const batch = contracts.slice(read, read + batchSize);
		const histories = await limit.map(batch, ({ id }) => writesTo(id, reader));
		pending = [...pending, ...histories.flat()].toSorted((a, b) => b.at - a.at);
		const horizon = contracts[read + batchSize]?.liveUpdatedAt ?? 0;
		yield* pending.filter(({ at }) => at >= horizon);
		pending = pending.filter(({ at }) => at < horizon);
	}
}
function isDated(contract) {
	return "liveUpdatedAt" in contract && contract.liveUpdatedAt !== void 0;
}
async function writesTo(id, reader) {
	const { versions } = await reader.versions(id);
	const states = versions.map(parseLiveContract).filter((state) => state !== void 0);
	return states.slice(1).map((before, index) => ({
		before,
		at: states[index]?.updatedAt ?? 0
	}));
}
async function review(plan, reviewed, session) {
	const { planHash } = reviewed;
	if (plan.planHash === planHash) return { verdict: "same" };
	const approved = reviewed.plan ?? (session && await recoverPlan(plan, planHash, session));
	if (!approved) return { verdict: "different" };
	const comparison = comparePlans(approved, plan);
	return {
		verdict: comparison.verdict === "same" ? "different" : comparison.verdict,
		comparison
	};
}
function withReview(plan, review) {
	const findings = findingsOf(review);
	return {
		...plan,
		errored: plan.errored || hasErrors(findings),
		diagnostics: sortDiagnostics([...plan.diagnostics, ...findings])
	};
}
function findingsOf({ verdict, comparison }) {
	switch (verdict) {
		case "same": return [];
		case "rest": return [partlyApplied(comparison?.contracts.length ?? 0)];
		case "different": return [comparison ? changed : unknown];
	}
}
function partlyApplied(contracts) {
	return {
		code: "plan-partly-applied",
		severity: "information",
		message: `Part of the reviewed plan has landed already (contracts: ${contracts}); the rest is as it was reviewed.`
	};
}
const changed = {
	code: "plan-changed",
	severity: "error",
	message: "The plan is not the one that was reviewed.",
	hint: "Have it reviewed as it is now, and expect the hash that it has now."
};
const unknown = {
	...changed,
	message: "The plan is not the one that was reviewed, and no history leads back to that one.",
	hint: `${changed.hint} To see what differs, expect the plan itself and not only its hash.`
};
const formatVersion = 1;
const opening = "<!-- contract-sync ";
const closing = " -->";
function formatHeader(header) {
	return `${opening}${JSON.stringify({
		v: formatVersion,
		...header
	})}${closing}`;
}
function parseHeader(body) {
	const [line = ""] = body.split(/\r?\n/u, 1);
	if (!line.startsWith(opening) || !line.endsWith(closing)) return void 0;
	const header = parseJson(line.slice(19, -4));
	if (!isObject$1(header) || header["v"] !== formatVersion) return void 0;
	const { key, head, run, attempt, planHash: hash, plan } = header;
	if (typeof key !== "string" || typeof head !== "string") return void 0;
	if (typeof run !== "number" || typeof attempt !== "number") return void 0;
	return {
		key,
		head,
		run,
		attempt,
		...typeof hash === "string" && { planHash: hash },
		...typeof plan === "string" && { plan }
	};
}
function parseJson(text) {
	try {
		return JSON.parse(text);
	} catch {
		return null;
	}
}
function packPlan(plan) {
	const changes = updates(plan).map(({ id, fullyQualifiedName, liveVersion, liveUpdatedAt, patch }) => ({
		id,
		fullyQualifiedName,
		liveVersion,
		liveUpdatedAt,
		patch
	}));
	return deflateRawSync(JSON.stringify(changes)).toString("base64");
}
const mostBytes = 4e6;
function unpackPlan(text, catalogUrl, hash) {
	try {
		const json = inflateRawSync(Buffer.from(text, "base64"), { maxOutputLength: mostBytes });
		const contracts = JSON.parse(json.toString()).map((change) => ({
			...bareUpdate,
			...change
		}));
		return planHash(contracts) === hash ? makePlan(catalogUrl, contracts, []) : void 0;
	} catch {
		return;
	}
}
const bareUpdate = {
	action: "update",
	source: {
		file: "",
		line: 1,
		column: 1
	},
	predictedVersions: [],
	changes: [],
	target: {},
	problems: []
};
async function putComment(github, pull, comment, { mode, worthCreating }) {
	const body = `${formatHeader(comment.header)}\n${comment.markdown}`;
	const existing = await findComments(github, pull, comment.header.key);
	if (existing.some(({ header }) => isNewer(header, comment.header))) return "newer";
	const [oldest, ...extra] = existing;
	if (!oldest && !worthCreating) return "needless";
	if (oldest && mode === "update") {
		await remove(github, extra);
		if (saysTheSame(oldest, comment)) return "unchanged";
		await github.updateComment(oldest.id, body);
		return "updated";
	}
	const created = await github.createComment(pull, body);
	await remove(github, existing);
	return keepOldest(github, pull, {
		created,
		header: comment.header,
		body
	});
}
async function findComments(github, pull, key) {
	const login = await github.login();
	return (await github.comments(pull)).flatMap((comment) => {
		const header = comment.login === login ? parseHeader(comment.body) : void 0;
		return header?.key === key ? [{
			...comment,
			header
		}] : [];
	});
}
function isNewer(theirs, ours) {
	return theirs.run > ours.run || theirs.run === ours.run && theirs.attempt > ours.attempt;
}
function saysTheSame(old, { header, markdown }) {
	const { run, attempt } = old.header;
	return `${formatHeader({
		...header,
		run,
		attempt
	})}\n${markdown}`.trim() === old.body.replaceAll("\r\n", "\n").trim();
}
async function remove(github, comments) {
	for (const { id } of comments) await github.deleteComment(id);
}
async function keepOldest(github, pull, { created, header, body }) {
	const [oldest] = await findComments(github, pull, header.key);
	if (!oldest || oldest.id === created.id) return "created";
	await github.deleteComment(created.id);
	if (isNewer(oldest.header, header)) return "newer";
	await github.updateComment(oldest.id, body);
	return "updated";
}
function inWordsOfInputs(plan) {
	return {
		...plan,
		diagnostics: plan.diagnostics.map(reword)
	};
}
function reword(diagnostic) {
	const hint = hints[diagnostic.code];
	return hint === void 0 ? diagnostic : {
		...diagnostic,
		hint
	};
}
const hints = {
	"no-token": "Set the input `token`, or `auth-issuer` and `auth-client-id` with a secret or the permission `id-token: write`.",
	unauthorized: "The token may have expired, or belong to another catalog: renew what the input `token` or `auth-client-secret` holds.",
	"no-issuer": "Set the input `auth-issuer`.",
	"no-client-id": "Set the input `auth-client-id`.",
	"no-secret": "Set the input `auth-client-secret` or `auth-private-key`.",
	"plan-changed": "Undo what was edited in the catalog, or have the plan reviewed as it is now, in a new pull request.",
	"limit-exceeded": "If that is meant, raise `limits` in the configuration in the same pull request, where it is reviewed too.",
	"no-contracts": "Look at the inputs `paths` and `working-directory`, and at `contracts.include`.",
	"invalid-token": "Look at the secret that the input `token` is given."
};
function cacheToken(issue, now) {
	let held;
	let underWay;
	const renew = async (rejected) => {
		underWay ??= issue(rejected).then((issued) => hold(issued, now())).finally(() => {
			underWay = void 0;
		});
		held = await underWay;
		return held;
	};
	return async (rejected) => {
		const current = held;
		if (!current || current.accessToken === rejected) return (await renew(rejected)).accessToken;
		if (now() < current.renewAt) return current.accessToken;
		try {
			return (await renew()).accessToken;
		} catch (error) {
			if (now() >= current.expiresAt) throw error;
			held = {
				...current,
				renewAt: current.expiresAt
			};
			return current.accessToken;
		}
	};
}
const earliness = 6e4;
function hold({ accessToken, expiresAt = Infinity }, now) {
	const lifetime = expiresAt - now;
	return {
		accessToken,
		expiresAt,
		renewAt: expiresAt - Math.min(earliness, lifetime / 10)
	};
}
function chooseMethod(settings, hasIdToken) {
	const { token } = settings;
	if (token) return {
		method: "static-token",
		reason: `${token.origin} is set`,
		token
	};
	if (settings.issuer === void 0) throw noToken();
	const client = clientOf(settings);
	const { method, reason } = settings.method ? {
		method: settings.method,
		reason: `auth.method is ${settings.method}`
	} : guessMethod(settings, hasIdToken);
	return {
		reason,
		...equip(method, client, settings)
	};
}
function guessMethod({ privateKey, clientSecret }, hasIdToken) {
	if (privateKey) return {
		method: "private-key-jwt",
		reason: `${privateKey.origin} is set`
	};
	if (clientSecret) return {
		method: "client-secret-basic",
		reason: `${clientSecret.origin} is set`
	};
	return hasIdToken ? {
		method: "github-client-assertion",
		reason: "there is no secret, and GitHub gives this workflow an ID token"
	} : {
		method: "device-login",
		reason: "an issuer is set, and neither a secret nor an ID token of GitHub is at hand"
	};
}
function equip(method, client, settings) {
	const { clientSecret, privateKey, idTokenAudience = client.issuer } = settings;
	switch (method) {
		case "client-secret-basic":
		case "client-secret-post": return {
			method,
			client,
			secret: needed(clientSecret, method, "CONTRACT_SYNC_CLIENT_SECRET")
		};
		case "private-key-jwt": return {
			method,
			client,
			key: needed(privateKey, method, "CONTRACT_SYNC_PRIVATE_KEY")
		};
		case "github-client-assertion": return {
			method,
			client,
			idTokenAudience
		};
		case "github-token-exchange": {
			const { subjectTokenType = "urn:ietf:params:oauth:token-type:jwt" } = settings;
			return {
				method,
				client,
				idTokenAudience,
				subjectTokenType,
				secret: clientSecret
			};
		}
		case "device-login": return {
			method,
			client
		};
	}
}
function needed(secret, method, variable) {
	if (secret) return secret;
	throw new ConfigError("no-secret", `auth.method is ${method}, and there is no secret for it.`, { hint: `Set ${variable}, or name the file that holds it.` });
}
function clientOf({ issuer, clientId, scope, resource, audience }) {
	if (issuer === void 0) throw new ConfigError("no-issuer", "The issuer of tokens is not set.", { hint: "Give --issuer, set CONTRACT_SYNC_ISSUER, or write auth.issuer in contract-sync.yaml." });
	if (clientId === void 0) throw new ConfigError("no-client-id", `The client id at the issuer ${issuer} is not set.`, { hint: "Give --client-id, set CONTRACT_SYNC_CLIENT_ID, or write auth.clientId in contract-sync.yaml." });
	checkIssuer(issuer);
	const access = Object.entries({
		scope,
		resource,
		audience
	}).filter((entry) => entry[1] !== void 0);
	return {
		issuer,
		clientId,
		access: Object.fromEntries(access)
	};
}
function noToken() {
	return new ConfigError("no-token", "There is no token for the catalog.", { hint: "Set CONTRACT_SYNC_TOKEN to a token (a JWT) of the catalog, name a file that holds one with --token-file, or name the issuer that gives tokens with --issuer and --client-id." });
}
function checkIssuer(issuer) {
	const url = URL.parse(issuer);
	const complaint = url ? complaintAbout(url) : "is no URL";
	if (complaint === void 0) return;
	throw new ConfigError("invalid-issuer", `The issuer ${JSON.stringify(issuer)} ${complaint}.`, { hint: "It looks like https://id.example.com, and is what the discovery document calls \"issuer\"." });
}
function complaintAbout(url) {
	if (url.protocol !== "https:" && url.protocol !== "http:") return "is not an address of the web";
	if (url.username !== "" || url.password !== "") return "must not hold a user name or password";
	if (url.search !== "" || url.hash !== "") return "must not have a query or a fragment";
	return isProtected(url) ? void 0 : "would be sent secrets unencrypted";
}
var IssuerError = class extends SyncError {
	name = "IssuerError";
	transient;
	retryAfterMs;
	reason;
	constructor(code, message, options = {}) {
		const { hint, cause, transient = false, retryAfterMs, reason } = options;
		super(code, message, {
			...hint !== void 0 && { hint },
			cause
		});
		this.transient = transient;
		this.retryAfterMs = retryAfterMs;
		this.reason = reason;
	}
};
async function explained(client, request) {
	try {
		return await request();
	} catch (error) {
		throw ourOwn(error) ?? nonconforming(client, error);
	}
}
function ourOwn(error) {
	if (error instanceof SyncError) return error;
	return error instanceof Error ? ourOwn(error.cause) : void 0;
}
function nonconforming({ issuer }, error) {
	if (!(error instanceof Error)) return unexpectedAnswer(issuer, String(error));
	if (!("code" in error && error.code === "OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED")) return unexpectedAnswer(issuer, error.message);
	return new IssuerError("issuer-mismatch", `The discovery document of ${issuer} belongs to another issuer.`, { hint: "Write the issuer as its discovery document does, to the last slash." });
}
function unexpectedAnswer(issuer, complaint) {
	return new IssuerError("issuer-unexpected", `The issuer ${issuer} answers with what no OpenID issuer does: ${complaint}.`, { hint: "Check the issuer, and whether a login page or proxy stands in front of it." });
}
function toRefusalError(refusal, client) {
	const { status } = refusal;
	if (status >= 500 || status === 429) return issuerFailed(refusal, client);
	const body = bodyOf(refusal.text);
	const reason = body["error"];
	if (typeof reason !== "string") return unexpected$1(refusal, client);
	const { code, complaint, hint } = meaningOf(reason, client);
	const words = body["error_description"];
	return new IssuerError(code, `${complaint} (${oneLine(typeof words === "string" ? `${reason}: ${oneLine(words)}` : reason)}).`, {
		hint: skewHint(refusal) ?? hint,
		reason
	});
}
function meaningOf(reason, { issuer, clientId, access }) {
	const who = `the client ${clientId}`;
	switch (reason) {
		case "invalid_client": return {
			code: "client-refused",
			complaint: `The issuer ${issuer} does not accept ${who} with what proves it`,
			hint: "Check the client id, the secret or key, and whether the client is registered for auth.method."
		};
		case "unauthorized_client":
		case "unsupported_grant_type": return {
			code: "client-refused",
			complaint: `The issuer ${issuer} does not let ${who} ask for a token in this way`,
			hint: "Allow the grant type for the client at the issuer, or choose another auth.method."
		};
		case "invalid_scope": return {
			code: "scope-refused",
			complaint: `The issuer ${issuer} does not give ${who} the scope ${JSON.stringify(access["scope"] ?? "")}`,
			hint: "Check auth.scope, and the scopes that the client may ask for."
		};
		case "invalid_target": return {
			code: "target-refused",
			complaint: `The issuer ${issuer} does not give ${who} a token for this resource or audience`,
			hint: "Check auth.resource and auth.audience."
		};
		case "authorization_pending":
		case "slow_down": return {
			code: "login-pending",
			complaint: "The login is not finished",
			hint: "Finish it."
		};
		case "access_denied": return {
			code: "login-refused",
			complaint: `The issuer ${issuer} refused the login of ${who}`,
			hint: "Run contract-sync login again, and allow it."
		};
		case "expired_token": return loginExpired;
		default: return {
			code: "token-refused",
			complaint: `The issuer ${issuer} refuses a token to ${who}`,
			hint: "Check the auth settings against how the client is registered at the issuer."
		};
	}
}
const loginExpired = {
	code: "login-expired",
	complaint: "The login was not finished in time",
	hint: "Run contract-sync login again."
};
const noticeableSkew = 6e4;
function skewHint({ skewMs = 0 }) {
	if (Math.abs(skewMs) < noticeableSkew) return void 0;
	return `The clock of this machine is ${Math.round(Math.abs(skewMs) / 1e3)} seconds ${skewMs > 0 ? "behind" : "ahead of"} that of the issuer: set it, since what is signed here is valid for minutes.`;
}
function issuerFailed({ status, headers, url }, { issuer }) {
	const seconds = headers.get("retry-after") ?? "";
	return new IssuerError("issuer-failed", `The issuer ${issuer} failed (${url.pathname}, status ${status}).`, {
		hint: "Try again later; if it stays so, ask its operators.",
		transient: true,
		retryAfterMs: /^\d+$/u.test(seconds) ? Number(seconds) * 1e3 : void 0
	});
}
function unexpected$1({ url, status }, { issuer }) {
	return new IssuerError("issuer-unexpected", url.pathname.includes("/.well-known/") ? `There is no OpenID issuer at ${issuer}: ${url.href} answers with status ${status}.` : `The issuer ${issuer} answers with status ${status} and no reason (${url.pathname}).`, { hint: "Check the issuer: it is what the discovery document calls \"issuer\", path included." });
}
function bodyOf(text) {
	try {
		const body = JSON.parse(text);
		return isObject$1(body) ? body : {};
	} catch {
		return {};
	}
}
const longestReason = 300;
function oneLine(text) {
	const line = text.replaceAll(/[\s\p{Cc}]+/gu, " ").trim().replace(/\.$/u, "");
	return line.length > longestReason ? `${line.slice(0, longestReason)}…` : line;
}
function createIssuerFetch(client, seams) {
	return async (address, options) => {
		const url = new URL(address);
		refuseInsecure(url, client);
		const { status, headers, text } = await fetchWhole(url, toInit(options), client, seams);
		if (status < 200 || status >= 300) {
			const skewMs = skewOf(headers, seams.now());
			throw toRefusalError({
				url,
				status,
				headers,
				text: seams.redactor.redact(text),
				skewMs
			}, client);
		}
		return new Response(text === "" ? null : text, {
			status,
			headers
		});
	};
}
function toInit({ method, headers, body, redirect, signal }) {
	return {
		method,
		headers,
		redirect,
		...body !== void 0 && { body },
		...signal && { signal }
	};
}
function refuseInsecure(url, { issuer }) {
	if (isProtected(url)) return;
	throw new IssuerError("insecure-endpoint", `The issuer ${issuer} wants secrets to be sent unencrypted to ${url.host}.`, { hint: "Its discovery document must name https addresses." });
}
async function fetchWhole(url, init, client, { fetch, timeoutMs }) {
	try {
		const response = await fetch(url, init);
		return {
			status: response.status,
			headers: response.headers,
			text: await response.text()
		};
	} catch (error) {
		throw isTimeout(error) ? tooSlow(client, timeoutMs) : unreachable(client, url, error);
	}
}
function isTimeout(error) {
	return error instanceof DOMException && error.name === "TimeoutError";
}
function tooSlow({ issuer }, timeoutMs) {
	return new IssuerError("issuer-timeout", `The issuer ${issuer} did not answer within ${timeoutMs / 1e3} seconds.`, {
		hint: "Allow more with --timeout.",
		transient: true
	});
}
function unreachable({ issuer }, { host }, cause) {
	const origin = deepest$1(cause);
	const isUnknown = origin.code === "ENOTFOUND";
	return new IssuerError("issuer-unreachable", isUnknown ? `There is no host named ${host}, where the issuer ${issuer} should be.` : `No connection to the issuer ${issuer} could be made: ${origin.message}.`, {
		hint: "Check the issuer, VPN, firewall and HTTPS_PROXY.",
		transient: !isUnknown && !/^(?:ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/u.test(origin.code),
		cause
	});
}
function deepest$1(error) {
	if (!(error instanceof Error)) return {
		code: "",
		message: String(error)
	};
	if (error.cause !== void 0) return deepest$1(error.cause);
	const { code = "", message } = error;
	return {
		code,
		message: message || code
	};
}
function skewOf(headers, now) {
	const date = Date.parse(headers.get("date") ?? "");
	return Number.isNaN(date) ? void 0 : date - now;
}
const attempts = 4;
const base = 500;
const longestAsked = 3e4;
async function retryTransient(attempt, { sleep, random, log }) {
	for (let number = 1;; number += 1) try {
		return await attempt();
	} catch (error) {
		const wait = error instanceof IssuerError ? waitAfter(error, number, random) : void 0;
		if (wait === void 0 || !(error instanceof IssuerError)) throw error;
		log(`${error.message} Trying again in ${(wait / 1e3).toFixed(1)} s (${number + 1} of ${attempts}).`);
		await sleep(wait);
	}
}
function waitAfter(error, number, random) {
	const { transient, retryAfterMs = 0 } = error;
	if (!transient || number >= attempts || retryAfterMs > longestAsked) return void 0;
	return Math.round(retryAfterMs + random() * base * 2 ** (number - 1));
}
function looseInstanceOf(input, expected) {
	if (input == null) return false;
	try {
		return input instanceof expected || Object.getPrototypeOf(input)[Symbol.toStringTag] === expected.prototype[Symbol.toStringTag];
	} catch {
		return false;
	}
}
function CodedTypeError$1(message, code, cause) {
	const err = new TypeError(message, { cause });
	Object.assign(err, { code });
	return err;
}
function buf(input) {
	if (typeof input === "string") return encoder$1.encode(input);
	return decoder$2.decode(input);
}
function b64u(input) {
	if (typeof input === "string") return decodeBase64Url(input);
	return encodeBase64Url(input);
}
function OPE(message, code, cause) {
	return new OperationProcessingError(message, {
		code,
		cause
	});
}
async function calculateJwkThumbprint(jwk) {
	let components;
	switch (jwk.kty) {
		case "EC":
			components = {
				crv: jwk.crv,
				kty: jwk.kty,
				x: jwk.x,
				y: jwk.y
			};
			break;
		case "OKP":
			components = {
				crv: jwk.crv,
				kty: jwk.kty,
				x: jwk.x
			};
			break;
		case "AKP":
			components = {
				alg: jwk.alg,
				kty: jwk.kty,
				pub: jwk.pub
			};
			break;
		case "RSA":
			components = {
				e: jwk.e,
				kty: jwk.kty,
				n: jwk.n
			};
			break;
		default: throw new UnsupportedOperationError("unsupported JWK key type", { cause: jwk });
	}
	return b64u(await crypto.subtle.digest("SHA-256", buf(JSON.stringify(components))));
}
function assertCryptoKey$1(key, it) {
	if (!(key instanceof CryptoKey)) throw CodedTypeError$1(`${it} must be a CryptoKey`, ERR_INVALID_ARG_TYPE$1);
}
function assertPrivateKey(key, it) {
	assertCryptoKey$1(key, it);
	if (key.type !== "private") throw CodedTypeError$1(`${it} must be a private CryptoKey`, ERR_INVALID_ARG_VALUE$1);
}
function assertPublicKey(key, it) {
	assertCryptoKey$1(key, it);
	if (key.type !== "public") throw CodedTypeError$1(`${it} must be a public CryptoKey`, ERR_INVALID_ARG_VALUE$1);
}
function normalizeTyp(value) {
	return value.toLowerCase().replace(/^application\//, "");
}
function isJsonObject(input) {
	if (input === null || typeof input !== "object" || Array.isArray(input)) return false;
	return true;
}
function prepareHeaders(input) {
	if (looseInstanceOf(input, Headers)) input = Object.fromEntries(input.entries());
	const headers = new Headers(input ?? {});
	if (USER_AGENT$1 && !headers.has("user-agent")) headers.set("user-agent", USER_AGENT$1);
	if (headers.has("authorization")) throw CodedTypeError$1("\"options.headers\" must not include the \"authorization\" header name", ERR_INVALID_ARG_VALUE$1);
	return headers;
}
function signal$1(url, value) {
	if (value !== void 0) {
		if (typeof value === "function") value = value(url.href);
		if (!(value instanceof AbortSignal)) throw CodedTypeError$1("\"options.signal\" must return or be an instance of AbortSignal", ERR_INVALID_ARG_TYPE$1);
		return value;
	}
}
function replaceDoubleSlash(pathname) {
	if (pathname.includes("//")) return pathname.replace("//", "/");
	return pathname;
}
function prependWellKnown(url, wellKnown, allowTerminatingSlash = false) {
	if (url.pathname === "/") url.pathname = wellKnown;
	else url.pathname = replaceDoubleSlash(`${wellKnown}/${allowTerminatingSlash ? url.pathname : url.pathname.replace(/(\/)$/, "")}`);
	return url;
}
function appendWellKnown(url, wellKnown) {
	url.pathname = replaceDoubleSlash(`${url.pathname}/${wellKnown}`);
	return url;
}
async function performDiscovery$1(input, urlName, transform, options) {
	if (!(input instanceof URL)) throw CodedTypeError$1(`"${urlName}" must be an instance of URL`, ERR_INVALID_ARG_TYPE$1);
	checkProtocol(input, options?.[allowInsecureRequests$1] !== true);
	const url = transform(new URL(input.href));
	const headers = prepareHeaders(options?.headers);
	headers.set("accept", "application/json");
	return (options?.[customFetch$1] || fetch)(url.href, {
		body: void 0,
		headers: Object.fromEntries(headers.entries()),
		method: "GET",
		redirect: "manual",
		signal: signal$1(url, options?.signal)
	});
}
async function discoveryRequest(issuerIdentifier, options) {
	return performDiscovery$1(issuerIdentifier, "issuerIdentifier", (url) => {
		switch (options?.algorithm) {
			case void 0:
			case "oidc":
				appendWellKnown(url, ".well-known/openid-configuration");
				break;
			case "oauth2":
				prependWellKnown(url, ".well-known/oauth-authorization-server");
				break;
			default: throw CodedTypeError$1("\"options.algorithm\" must be \"oidc\" (default), or \"oauth2\"", ERR_INVALID_ARG_VALUE$1);
		}
		return url;
	}, options);
}
function assertNumber(input, allow0, it, code, cause) {
	try {
		if (typeof input !== "number" || !Number.isFinite(input)) throw CodedTypeError$1(`${it} must be a number`, ERR_INVALID_ARG_TYPE$1, cause);
		if (input > 0) return;
		if (allow0) {
			if (input !== 0) throw CodedTypeError$1(`${it} must be a non-negative number`, ERR_INVALID_ARG_VALUE$1, cause);
			return;
		}
		throw CodedTypeError$1(`${it} must be a positive number`, ERR_INVALID_ARG_VALUE$1, cause);
	} catch (err) {
		if (code) throw OPE(err.message, code, cause);
		throw err;
	}
}
function assertString$1(input, it, code, cause) {
	try {
		if (typeof input !== "string") throw CodedTypeError$1(`${it} must be a string`, ERR_INVALID_ARG_TYPE$1, cause);
		if (input.length === 0) throw CodedTypeError$1(`${it} must not be empty`, ERR_INVALID_ARG_VALUE$1, cause);
	} catch (err) {
		if (code) throw OPE(err.message, code, cause);
		throw err;
	}
}
async function processDiscoveryResponse(expectedIssuerIdentifier, response) {
	const expected = expectedIssuerIdentifier;
	if (!(expected instanceof URL) && expected !== _nodiscoverycheck) throw CodedTypeError$1("\"expectedIssuerIdentifier\" must be an instance of URL", ERR_INVALID_ARG_TYPE$1);
	if (!looseInstanceOf(response, Response)) throw CodedTypeError$1("\"response\" must be an instance of Response", ERR_INVALID_ARG_TYPE$1);
	if (response.status !== 200) throw OPE("\"response\" is not a conform Authorization Server Metadata response (unexpected HTTP status code)", RESPONSE_IS_NOT_CONFORM, response);
	assertReadableResponse(response);
	const json = await getResponseJsonBody(response);
	assertString$1(json.issuer, "\"response\" body \"issuer\" property", INVALID_RESPONSE, { body: json });
	if (expected !== _nodiscoverycheck && new URL(json.issuer).href !== expected.href) throw OPE("\"response\" body \"issuer\" property does not match the expected value", JSON_ATTRIBUTE_COMPARISON, {
		expected: expected.href,
		body: json,
		attribute: "issuer"
	});
	return json;
}
function assertApplicationJson(response) {
	assertContentType(response, "application/json");
}
function notJson(response, ...types) {
	let msg = "\"response\" content-type must be ";
	if (types.length > 2) {
		const last = types.pop();
		msg += `${types.join(", ")}, or ${last}`;
	} else if (types.length === 2) msg += `${types[0]} or ${types[1]}`;
	else msg += types[0];
	return OPE(msg, RESPONSE_IS_NOT_JSON, response);
}
function assertContentTypes(response, ...types) {
	if (!types.includes(getContentType(response))) throw notJson(response, ...types);
}
function assertContentType(response, contentType) {
	if (getContentType(response) !== contentType) throw notJson(response, contentType);
}
function randomBytes() {
	return b64u(crypto.getRandomValues(new Uint8Array(32)));
}
function generateRandomCodeVerifier() {
	return randomBytes();
}
function generateRandomState() {
	return randomBytes();
}
function generateRandomNonce() {
	return randomBytes();
}
async function calculatePKCECodeChallenge$1(codeVerifier) {
	assertString$1(codeVerifier, "codeVerifier");
	return b64u(await crypto.subtle.digest("SHA-256", buf(codeVerifier)));
}
function getKeyAndKid(input) {
	if (input instanceof CryptoKey) return { key: input };
	if (!(input?.key instanceof CryptoKey)) return {};
	if (input.kid !== void 0) assertString$1(input.kid, "\"kid\"");
	return {
		key: input.key,
		kid: input.kid
	};
}
function psAlg(key) {
	switch (key.algorithm.hash.name) {
		case "SHA-256": return "PS256";
		case "SHA-384": return "PS384";
		case "SHA-512": return "PS512";
		default: throw new UnsupportedOperationError("unsupported RsaHashedKeyAlgorithm hash name", { cause: key });
	}
}
function rsAlg(key) {
	switch (key.algorithm.hash.name) {
		case "SHA-256": return "RS256";
		case "SHA-384": return "RS384";
		case "SHA-512": return "RS512";
		default: throw new UnsupportedOperationError("unsupported RsaHashedKeyAlgorithm hash name", { cause: key });
	}
}
function esAlg(key) {
	switch (key.algorithm.namedCurve) {
		case "P-256": return "ES256";
		case "P-384": return "ES384";
		case "P-521": return "ES512";
		default: throw new UnsupportedOperationError("unsupported EcKeyAlgorithm namedCurve", { cause: key });
	}
}
function keyToJws(key) {
	switch (key.algorithm.name) {
		case "RSA-PSS": return psAlg(key);
		case "RSASSA-PKCS1-v1_5": return rsAlg(key);
		case "ECDSA": return esAlg(key);
		case "Ed25519":
		case "ML-DSA-44":
		case "ML-DSA-65":
		case "ML-DSA-87": return key.algorithm.name;
		case "EdDSA": return "Ed25519";
		default: throw new UnsupportedOperationError("unsupported CryptoKey algorithm name", { cause: key });
	}
}
function getClockSkew(client) {
	const skew = client?.[clockSkew$1];
	return typeof skew === "number" && Number.isFinite(skew) ? skew : 0;
}
function getClockTolerance(client) {
	const tolerance = client?.[clockTolerance$1];
	return typeof tolerance === "number" && Number.isFinite(tolerance) && Math.sign(tolerance) !== -1 ? tolerance : 30;
}
function epochTime() {
	return Math.floor(Date.now() / 1e3);
}
function assertAs(as) {
	if (typeof as !== "object" || as === null) throw CodedTypeError$1("\"as\" must be an object", ERR_INVALID_ARG_TYPE$1);
	assertString$1(as.issuer, "\"as.issuer\"");
}
function assertClient(client) {
	if (typeof client !== "object" || client === null) throw CodedTypeError$1("\"client\" must be an object", ERR_INVALID_ARG_TYPE$1);
	assertString$1(client.client_id, "\"client.client_id\"");
}
function formUrlEncode(token) {
	return encodeURIComponent(token).replace(/(?:[-_.!~*'()]|%20)/g, (substring) => {
		switch (substring) {
			case "-":
			case "_":
			case ".":
			case "!":
			case "~":
			case "*":
			case "'":
			case "(":
			case ")": return `%${substring.charCodeAt(0).toString(16).toUpperCase()}`;
			case "%20": return "+";
			default: throw new Error();
		}
	});
}
function ClientSecretPost$1(clientSecret) {
	assertString$1(clientSecret, "\"clientSecret\"");
	return (_as, client, body, _headers) => {
		body.set("client_id", client.client_id);
		body.set("client_secret", clientSecret);
	};
}
function ClientSecretBasic$1(clientSecret) {
	assertString$1(clientSecret, "\"clientSecret\"");
	return (_as, client, _body, headers) => {
		const username = formUrlEncode(client.client_id);
		const password = formUrlEncode(clientSecret);
		const credentials = btoa(`${username}:${password}`);
		headers.set("authorization", `Basic ${credentials}`);
	};
}
function clientAssertionPayload(as, client) {
	const now = epochTime() + getClockSkew(client);
	return {
		jti: randomBytes(),
		aud: as.issuer,
		exp: now + 60,
		iat: now,
		nbf: now,
		iss: client.client_id,
		sub: client.client_id
	};
}
function PrivateKeyJwt$1(clientPrivateKey, options) {
	const { key, kid } = getKeyAndKid(clientPrivateKey);
	assertPrivateKey(key, "\"clientPrivateKey.key\"");
	return async (as, client, body, _headers) => {
		const header = {
			alg: keyToJws(key),
			kid
		};
		const payload = clientAssertionPayload(as, client);
		options?.[modifyAssertion$1]?.(header, payload);
		body.set("client_id", client.client_id);
		body.set("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer");
		body.set("client_assertion", await signJwt(header, payload, key));
	};
}
function ClientSecretJwt$1(clientSecret, options) {
	assertString$1(clientSecret, "\"clientSecret\"");
	const modify = options?.[modifyAssertion$1];
	let key;
	return async (as, client, body, _headers) => {
		key ||= await crypto.subtle.importKey("raw", buf(clientSecret), {
			hash: "SHA-256",
			name: "HMAC"
		}, false, ["sign"]);
		const header = { alg: "HS256" };
		const payload = clientAssertionPayload(as, client);
		modify?.(header, payload);
		const data = `${b64u(buf(JSON.stringify(header)))}.${b64u(buf(JSON.stringify(payload)))}`;
		const hmac = await crypto.subtle.sign(key.algorithm, key, buf(data));
		body.set("client_id", client.client_id);
		body.set("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer");
		body.set("client_assertion", `${data}.${b64u(new Uint8Array(hmac))}`);
	};
}
function None$1() {
	return (_as, client, body, _headers) => {
		body.set("client_id", client.client_id);
	};
}
function TlsClientAuth$1() {
	return None$1();
}
async function signJwt(header, payload, key) {
	if (!key.usages.includes("sign")) throw CodedTypeError$1("CryptoKey instances used for signing assertions must include \"sign\" in their \"usages\"", ERR_INVALID_ARG_VALUE$1);
	const input = `${b64u(buf(JSON.stringify(header)))}.${b64u(buf(JSON.stringify(payload)))}`;
	return `${input}.${b64u(await crypto.subtle.sign(keyToSubtle(key), key, buf(input)))}`;
}
async function issueRequestObject(as, client, parameters, privateKey, options) {
	assertAs(as);
	assertClient(client);
	parameters = new URLSearchParams(parameters);
	const { key, kid } = getKeyAndKid(privateKey);
	assertPrivateKey(key, "\"privateKey.key\"");
	parameters.set("client_id", client.client_id);
	const now = epochTime() + getClockSkew(client);
	const claims = {
		...Object.fromEntries(parameters.entries()),
		jti: randomBytes(),
		aud: as.issuer,
		exp: now + 60,
		iat: now,
		nbf: now,
		iss: client.client_id
	};
	let resource;
	if (parameters.has("resource") && (resource = parameters.getAll("resource")) && resource.length > 1) claims.resource = resource;
	{
		let value = parameters.get("max_age");
		if (value !== null) {
			claims.max_age = parseInt(value, 10);
			assertNumber(claims.max_age, true, "\"max_age\" parameter");
		}
	}
	{
		let value = parameters.get("claims");
		if (value !== null) {
			try {
				claims.claims = JSON.parse(value);
			} catch (cause) {
				throw OPE("failed to parse the \"claims\" parameter as JSON", PARSE_ERROR, cause);
			}
			if (!isJsonObject(claims.claims)) throw CodedTypeError$1("\"claims\" parameter must be a JSON with a top level object", ERR_INVALID_ARG_VALUE$1);
		}
	}
	{
		let value = parameters.get("authorization_details");
		if (value !== null) {
			try {
				claims.authorization_details = JSON.parse(value);
			} catch (cause) {
				throw OPE("failed to parse the \"authorization_details\" parameter as JSON", PARSE_ERROR, cause);
			}
			if (!Array.isArray(claims.authorization_details)) throw CodedTypeError$1("\"authorization_details\" parameter must be a JSON with a top level array", ERR_INVALID_ARG_VALUE$1);
		}
	}
	const header = {
		alg: keyToJws(key),
		typ: "oauth-authz-req+jwt",
		kid
	};
	options?.[modifyAssertion$1]?.(header, claims);
	return signJwt(header, claims, key);
}
async function getSetPublicJwkCache(key, alg) {
	const { kty, e, n, x, y, crv, pub } = await crypto.subtle.exportKey("jwk", key);
	const jwk = {
		kty,
		e,
		n,
		x,
		y,
		crv,
		pub
	};
	if (kty === "AKP") jwk.alg = alg;
	jwkCache.set(key, jwk);
	return jwk;
}
async function publicJwk(key, alg) {
	jwkCache ||= new WeakMap();
	return jwkCache.get(key) || getSetPublicJwkCache(key, alg);
}
function checkProtocol(url, enforceHttps) {
	if (enforceHttps && url.protocol !== "https:") throw OPE("only requests to HTTPS are allowed", HTTP_REQUEST_FORBIDDEN, url);
	if (url.protocol !== "https:" && url.protocol !== "http:") throw OPE("only HTTP and HTTPS requests are allowed", REQUEST_PROTOCOL_FORBIDDEN, url);
}
function validateEndpoint(value, endpoint, useMtlsAlias, enforceHttps) {
	let url;
	if (typeof value !== "string" || !(url = URLParse(value))) throw OPE(`authorization server metadata does not contain a valid ${useMtlsAlias ? `"as.mtls_endpoint_aliases.${endpoint}"` : `"as.${endpoint}"`}`, value === void 0 ? MISSING_SERVER_METADATA : INVALID_SERVER_METADATA, { attribute: useMtlsAlias ? `mtls_endpoint_aliases.${endpoint}` : endpoint });
	checkProtocol(url, enforceHttps);
	return url;
}
function resolveEndpoint(as, endpoint, useMtlsAlias, enforceHttps) {
	if (useMtlsAlias && as.mtls_endpoint_aliases && endpoint in as.mtls_endpoint_aliases) return validateEndpoint(as.mtls_endpoint_aliases[endpoint], endpoint, useMtlsAlias, enforceHttps);
	return validateEndpoint(as[endpoint], endpoint, useMtlsAlias, enforceHttps);
}
async function pushedAuthorizationRequest(as, client, clientAuthentication, parameters, options) {
	assertAs(as);
	assertClient(client);
	const url = resolveEndpoint(as, "pushed_authorization_request_endpoint", client.use_mtls_endpoint_aliases, options?.[allowInsecureRequests$1] !== true);
	const body = new URLSearchParams(parameters);
	body.set("client_id", client.client_id);
	const headers = prepareHeaders(options?.headers);
	headers.set("accept", "application/json");
	if (options?.DPoP !== void 0) {
		assertDPoP(options.DPoP);
		await options.DPoP.addProof(url, headers, "POST");
	}
	const response = await authenticatedRequest(as, client, clientAuthentication, url, body, headers, options);
	options?.DPoP?.cacheNonce(response, url);
	return response;
}
function isDPoPNonceError(err) {
	if (err instanceof WWWAuthenticateChallengeError) return err.cause.some((challenge) => challenge.scheme === "dpop" && challenge.parameters.error === "use_dpop_nonce");
	if (err instanceof ResponseBodyError) return err.error === "use_dpop_nonce";
	return false;
}
function DPoP(client, keyPair, options) {
	return new DPoPHandler(client, keyPair, options);
}
function parseWwwAuthenticateChallenges(response) {
	if (!looseInstanceOf(response, Response)) throw CodedTypeError$1("\"response\" must be an instance of Response", ERR_INVALID_ARG_TYPE$1);
	const header = response.headers.get("www-authenticate");
	if (header === null) return;
	const challenges = [];
	let rest = header;
	while (rest) {
		let match = rest.match(schemeRE);
		const scheme = match?.["1"].toLowerCase();
		if (!scheme) return;
		const afterScheme = rest.substring(match[0].length);
		if (afterScheme && !afterScheme.match(/^[\s,]/)) return;
		const spaceMatch = afterScheme.match(/^\s+(.*)$/);
		const hasParameters = !!spaceMatch;
		rest = spaceMatch ? spaceMatch[1] : void 0;
		const parameters = {};
		let token68;
		if (hasParameters) while (rest) {
			let key;
			let value;
			if (match = rest.match(quotedParamRE)) {
				[, key, value, rest] = match;
				if (value.includes("\\")) value = value.replace(/\\([\s\S])/g, "$1");
				parameters[key.toLowerCase()] = value;
				continue;
			}
			if (match = rest.match(unquotedParamRE)) {
				[, key, value, rest] = match;
				parameters[key.toLowerCase()] = value;
				continue;
			}
			if (match = rest.match(token68ParamRE)) {
				if (Object.keys(parameters).length) break;
				[, token68, rest] = match;
				break;
			}
			return;
		}
		else rest = afterScheme || void 0;
		const challenge = {
			scheme,
			parameters
		};
		if (token68) challenge.token68 = token68;
		challenges.push(challenge);
	}
	if (!challenges.length) return;
	return challenges;
}
async function processPushedAuthorizationResponse(as, client, response) {
	assertAs(as);
	assertClient(client);
	if (!looseInstanceOf(response, Response)) throw CodedTypeError$1("\"response\" must be an instance of Response", ERR_INVALID_ARG_TYPE$1);
	await checkOAuthBodyError(response, 201, "Pushed Authorization Request Endpoint");
	assertReadableResponse(response);
	const json = await getResponseJsonBody(response);
	assertString$1(json.request_uri, "\"response\" body \"request_uri\" property", INVALID_RESPONSE, { body: json });
	let expiresIn = typeof json.expires_in !== "number" ? parseFloat(json.expires_in) : json.expires_in;
	assertNumber(expiresIn, true, "\"response\" body \"expires_in\" property", INVALID_RESPONSE, { body: json });
	json.expires_in = expiresIn;
	return json;
}
async function parseOAuthResponseErrorBody(response) {
	if (response.status > 399 && response.status < 500) {
		assertReadableResponse(response);
		assertApplicationJson(response);
		try {
			const json = await response.clone().json();
			if (isJsonObject(json) && typeof json.error === "string" && json.error.length) return json;
		} catch {}
	}
}
async function checkOAuthBodyError(response, expected, label) {
	if (response.status !== expected) {
		checkAuthenticationChallenges(response);
		let err;
		if (err = await parseOAuthResponseErrorBody(response)) {
			await response.body?.cancel();
			throw new ResponseBodyError("server responded with an error in the response body", {
				cause: err,
				response
			});
		}
		throw OPE(`"response" is not a conform ${label} response (unexpected HTTP status code)`, RESPONSE_IS_NOT_CONFORM, response);
	}
}
function assertDPoP(option) {
	if (!branded.has(option)) throw CodedTypeError$1("\"options.DPoP\" is not a valid DPoPHandle", ERR_INVALID_ARG_VALUE$1);
}
async function resourceRequest(accessToken, method, url, headers, body, options) {
	assertString$1(accessToken, "\"accessToken\"");
	if (!(url instanceof URL)) throw CodedTypeError$1("\"url\" must be an instance of URL", ERR_INVALID_ARG_TYPE$1);
	checkProtocol(url, options?.[allowInsecureRequests$1] !== true);
	headers = prepareHeaders(headers);
	if (options?.DPoP) {
		assertDPoP(options.DPoP);
		await options.DPoP.addProof(url, headers, method.toUpperCase(), accessToken);
	}
	headers.set("authorization", `${headers.has("dpop") ? "DPoP" : "Bearer"} ${accessToken}`);
	const response = await (options?.[customFetch$1] || fetch)(url.href, {
		duplex: looseInstanceOf(body, ReadableStream) ? "half" : void 0,
		body,
		headers: Object.fromEntries(headers.entries()),
		method,
		redirect: "manual",
		signal: signal$1(url, options?.signal)
	});
	options?.DPoP?.cacheNonce(response, url);
	return response;
}
async function protectedResourceRequest(accessToken, method, url, headers, body, options) {
	const response = await resourceRequest(accessToken, method, url, headers, body, options);
	checkAuthenticationChallenges(response);
	return response;
}
async function userInfoRequest(as, client, accessToken, options) {
	assertAs(as);
	assertClient(client);
	const url = resolveEndpoint(as, "userinfo_endpoint", client.use_mtls_endpoint_aliases, options?.[allowInsecureRequests$1] !== true);
	const headers = prepareHeaders(options?.headers);
	if (client.userinfo_signed_response_alg) headers.set("accept", "application/jwt");
	else {
		headers.set("accept", "application/json");
		headers.append("accept", "application/jwt");
	}
	return resourceRequest(accessToken, "GET", url, headers, null, {
		...options,
		[clockSkew$1]: getClockSkew(client)
	});
}
function setJwksCache$1(as, jwks, uat, cache) {
	jwksMap ||= new WeakMap();
	jwksMap.set(as, {
		jwks,
		uat,
		get age() {
			return epochTime() - this.uat;
		}
	});
	if (cache) Object.assign(cache, {
		jwks: structuredClone(jwks),
		uat
	});
}
function isFreshJwksCache(input) {
	if (typeof input !== "object" || input === null) return false;
	if (!("uat" in input) || typeof input.uat !== "number" || epochTime() - input.uat >= 300) return false;
	if (!("jwks" in input) || !isJsonObject(input.jwks) || !Array.isArray(input.jwks.keys) || !Array.prototype.every.call(input.jwks.keys, isJsonObject)) return false;
	return true;
}
function clearJwksCache(as, cache) {
	jwksMap?.delete(as);
	delete cache?.jwks;
	delete cache?.uat;
}
async function getPublicSigKeyFromIssuerJwksUri(as, options, header) {
	const { alg, kid } = header;
	checkSupportedJwsAlg(header);
	if (!jwksMap?.has(as) && isFreshJwksCache(options?.[jwksCache])) setJwksCache$1(as, options?.[jwksCache].jwks, options?.[jwksCache].uat);
	let jwks;
	let age;
	if (jwksMap?.has(as)) {
		({jwks, age} = jwksMap.get(as));
		if (age >= 300) {
			clearJwksCache(as, options?.[jwksCache]);
			return getPublicSigKeyFromIssuerJwksUri(as, options, header);
		}
	} else {
		const downloaded = await jwksRequest(as, options);
		jwks = downloaded.jwks;
		age = epochTime() - downloaded.uat;
		setJwksCache$1(as, jwks, downloaded.uat, options?.[jwksCache]);
	}
	let kty;
	switch (alg.slice(0, 2)) {
		case "RS":
		case "PS":
			kty = "RSA";
			break;
		case "ES":
			kty = "EC";
			break;
		case "Ed":
			kty = "OKP";
			break;
		case "ML":
			kty = "AKP";
			break;
		default: throw new UnsupportedOperationError("unsupported JWS algorithm", { cause: { alg } });
	}
	const candidates = jwks.keys.filter((jwk) => {
		if (jwk.kty !== kty) return false;
		if (kid !== void 0 && kid !== jwk.kid) return false;
		if (jwk.alg !== void 0 && alg !== jwk.alg) return false;
		if (jwk.use !== void 0 && jwk.use !== "sig") return false;
		if (jwk.key_ops?.includes("verify") === false) return false;
		switch (true) {
			case alg === "ES256" && jwk.crv !== "P-256":
			case alg === "ES384" && jwk.crv !== "P-384":
			case alg === "ES512" && jwk.crv !== "P-521":
			case alg === "Ed25519" && jwk.crv !== "Ed25519":
			case alg === "EdDSA" && jwk.crv !== "Ed25519": return false;
		}
		return true;
	});
	const { 0: jwk, length } = candidates;
	if (!length) {
		if (age >= 60) {
			clearJwksCache(as, options?.[jwksCache]);
			return getPublicSigKeyFromIssuerJwksUri(as, options, header);
		}
		throw OPE("error when selecting a JWT verification key, no applicable keys found", KEY_SELECTION, {
			header,
			candidates,
			jwks_uri: new URL(as.jwks_uri)
		});
	}
	if (length !== 1) throw OPE("error when selecting a JWT verification key, multiple applicable keys found, a \"kid\" JWT Header Parameter is required", KEY_SELECTION, {
		header,
		candidates,
		jwks_uri: new URL(as.jwks_uri)
	});
	jwksKeys ||= new WeakMap();
	let keys = jwksKeys.get(jwk);
	if (!keys) {
		keys = new Map();
		jwksKeys.set(jwk, keys);
	}
	let key = keys.get(alg);
	if (!key) {
		key = importJwk(alg, jwk).catch((cause) => {
			keys.delete(alg);
			throw cause;
		});
		keys.set(alg, key);
	}
	return key;
}
function getContentType(input) {
	return input.headers.get("content-type")?.split(";")[0];
}
async function processUserInfoResponse(as, client, expectedSubject, response, options) {
	assertAs(as);
	assertClient(client);
	if (!looseInstanceOf(response, Response)) throw CodedTypeError$1("\"response\" must be an instance of Response", ERR_INVALID_ARG_TYPE$1);
	checkAuthenticationChallenges(response);
	if (response.status !== 200) throw OPE("\"response\" is not a conform UserInfo Endpoint response (unexpected HTTP status code)", RESPONSE_IS_NOT_CONFORM, response);
	assertReadableResponse(response);
	let json;
	if (getContentType(response) === "application/jwt") {
		const { claims, jwt } = await validateJwt(await response.text(), checkSigningAlgorithm.bind(void 0, client.userinfo_signed_response_alg, as.userinfo_signing_alg_values_supported, void 0), getClockSkew(client), getClockTolerance(client), options?.[jweDecrypt]).then(validateOptionalAudience.bind(void 0, client.client_id)).then(validateOptionalIssuer.bind(void 0, as));
		jwtRefs.set(response, jwt);
		json = claims;
	} else {
		if (client.userinfo_signed_response_alg) throw OPE("JWT UserInfo Response expected", JWT_USERINFO_EXPECTED, response);
		json = await getResponseJsonBody(response);
	}
	assertString$1(json.sub, "\"response\" body \"sub\" property", INVALID_RESPONSE, { body: json });
	switch (expectedSubject) {
		case skipSubjectCheck$1: break;
		default:
			assertString$1(expectedSubject, "\"expectedSubject\"");
			if (json.sub !== expectedSubject) throw OPE("unexpected \"response\" body \"sub\" property value", JSON_ATTRIBUTE_COMPARISON, {
				expected: expectedSubject,
				body: json,
				attribute: "sub"
			});
	}
	return json;
}
async function authenticatedRequest(as, client, clientAuthentication, url, body, headers, options) {
	await clientAuthentication(as, client, body, headers);
	headers.set("content-type", "application/x-www-form-urlencoded;charset=UTF-8");
	return (options?.[customFetch$1] || fetch)(url.href, {
		body,
		headers: Object.fromEntries(headers.entries()),
		method: "POST",
		redirect: "manual",
		signal: signal$1(url, options?.signal)
	});
}
async function tokenEndpointRequest(as, client, clientAuthentication, grantType, parameters, options) {
	const url = resolveEndpoint(as, "token_endpoint", client.use_mtls_endpoint_aliases, options?.[allowInsecureRequests$1] !== true);
	parameters.set("grant_type", grantType);
	const headers = prepareHeaders(options?.headers);
	headers.set("accept", "application/json");
	if (options?.DPoP !== void 0) {
		assertDPoP(options.DPoP);
		await options.DPoP.addProof(url, headers, "POST");
	}
	const response = await authenticatedRequest(as, client, clientAuthentication, url, parameters, headers, options);
	options?.DPoP?.cacheNonce(response, url);
	return response;
}
async function refreshTokenGrantRequest(as, client, clientAuthentication, refreshToken, options) {
	assertAs(as);
	assertClient(client);
	assertString$1(refreshToken, "\"refreshToken\"");
	const parameters = new URLSearchParams(options?.additionalParameters);
	parameters.set("refresh_token", refreshToken);
	return tokenEndpointRequest(as, client, clientAuthentication, "refresh_token", parameters, options);
}
function getValidatedIdTokenClaims(ref) {
	if (!ref.id_token) return;
	const claims = idTokenClaims.get(ref);
	if (!claims) throw CodedTypeError$1("\"ref\" was already garbage collected or did not resolve from the proper sources", ERR_INVALID_ARG_VALUE$1);
	return claims;
}
async function validateApplicationLevelSignature(as, ref, options) {
	assertAs(as);
	if (!jwtRefs.has(ref)) throw CodedTypeError$1("\"ref\" does not contain a processed JWT Response to verify the signature of", ERR_INVALID_ARG_VALUE$1);
	const { 0: protectedHeader, 1: payload, 2: encodedSignature } = jwtRefs.get(ref).split(".");
	const header = JSON.parse(buf(b64u(protectedHeader)));
	if (header.alg.startsWith("HS")) throw new UnsupportedOperationError("unsupported JWS algorithm", { cause: { alg: header.alg } });
	let key;
	key = await getPublicSigKeyFromIssuerJwksUri(as, options, header);
	await validateJwsSignature(protectedHeader, payload, key, b64u(encodedSignature));
}
async function processGenericAccessTokenResponse(as, client, response, additionalRequiredIdTokenClaims, decryptFn, recognizedTokenTypes) {
	assertAs(as);
	assertClient(client);
	if (!looseInstanceOf(response, Response)) throw CodedTypeError$1("\"response\" must be an instance of Response", ERR_INVALID_ARG_TYPE$1);
	await checkOAuthBodyError(response, 200, "Token Endpoint");
	assertReadableResponse(response);
	const json = await getResponseJsonBody(response);
	assertString$1(json.access_token, "\"response\" body \"access_token\" property", INVALID_RESPONSE, { body: json });
	assertString$1(json.token_type, "\"response\" body \"token_type\" property", INVALID_RESPONSE, { body: json });
	json.token_type = json.token_type.toLowerCase();
	if (json.expires_in !== void 0) {
		let expiresIn = typeof json.expires_in !== "number" ? parseFloat(json.expires_in) : json.expires_in;
		assertNumber(expiresIn, true, "\"response\" body \"expires_in\" property", INVALID_RESPONSE, { body: json });
		json.expires_in = expiresIn;
	}
	if (json.refresh_token !== void 0) assertString$1(json.refresh_token, "\"response\" body \"refresh_token\" property", INVALID_RESPONSE, { body: json });
	if (json.scope !== void 0 && typeof json.scope !== "string") throw OPE("\"response\" body \"scope\" property must be a string", INVALID_RESPONSE, { body: json });
	if (json.id_token !== void 0) {
		assertString$1(json.id_token, "\"response\" body \"id_token\" property", INVALID_RESPONSE, { body: json });
		const requiredClaims = [];
		if (client.require_auth_time === true) requiredClaims.push("auth_time");
		if (client.default_max_age !== void 0) {
			assertNumber(client.default_max_age, true, "\"client.default_max_age\"");
			requiredClaims.push("auth_time");
		}
		if (additionalRequiredIdTokenClaims?.length) requiredClaims.push(...additionalRequiredIdTokenClaims);
		const { claims, jwt } = await validateIdTokenClaims(as, client, json.id_token, requiredClaims, decryptFn);
		validateIdTokenAuthorizedParty(client, claims);
		validateIdTokenAuthTimeClaim(claims);
		jwtRefs.set(response, jwt);
		idTokenClaims.set(json, claims);
	}
	if (recognizedTokenTypes?.[json.token_type] !== void 0) recognizedTokenTypes[json.token_type](response, json);
	else if (json.token_type !== "dpop" && json.token_type !== "bearer") throw new UnsupportedOperationError("unsupported `token_type` value", { cause: { body: json } });
	return json;
}
function checkAuthenticationChallenges(response) {
	let challenges;
	if (challenges = parseWwwAuthenticateChallenges(response)) throw new WWWAuthenticateChallengeError("server responded with a challenge in the WWW-Authenticate HTTP Header", {
		cause: challenges,
		response
	});
}
async function processRefreshTokenResponse(as, client, response, options) {
	return processGenericAccessTokenResponse(as, client, response, void 0, options?.[jweDecrypt], options?.recognizedTokenTypes);
}
function validateOptionalAudience(expected, result) {
	if (result.claims.aud !== void 0) return validateAudience(expected, result);
	return result;
}
function validateAudience(expected, result) {
	if (Array.isArray(result.claims.aud)) {
		if (!result.claims.aud.includes(expected)) throw OPE("unexpected JWT \"aud\" (audience) claim value", JWT_CLAIM_COMPARISON, {
			expected,
			claims: result.claims,
			claim: "aud"
		});
	} else if (result.claims.aud !== expected) throw OPE("unexpected JWT \"aud\" (audience) claim value", JWT_CLAIM_COMPARISON, {
		expected,
		claims: result.claims,
		claim: "aud"
	});
	return result;
}
function validateOptionalIssuer(as, result) {
	if (result.claims.iss !== void 0) return validateIssuer(as, result);
	return result;
}
function validateIssuer(as, result) {
	const expected = as[_expectedIssuer]?.(result) ?? as.issuer;
	if (result.claims.iss !== expected) throw OPE("unexpected JWT \"iss\" (issuer) claim value", JWT_CLAIM_COMPARISON, {
		expected,
		claims: result.claims,
		claim: "iss"
	});
	return result;
}
function brand(searchParams) {
	branded.add(searchParams);
	return searchParams;
}
async function authorizationCodeGrantRequest(as, client, clientAuthentication, callbackParameters, redirectUri, codeVerifier, options) {
	assertAs(as);
	assertClient(client);
	if (!branded.has(callbackParameters)) throw CodedTypeError$1("\"callbackParameters\" must be an instance of URLSearchParams obtained from \"validateAuthResponse()\", or \"validateJwtAuthResponse()", ERR_INVALID_ARG_VALUE$1);
	assertString$1(redirectUri, "\"redirectUri\"");
	const code = getURLSearchParameter(callbackParameters, "code");
	if (!code) throw OPE("no authorization code in \"callbackParameters\"", INVALID_RESPONSE);
	const parameters = new URLSearchParams(options?.additionalParameters);
	parameters.set("redirect_uri", redirectUri);
	parameters.set("code", code);
	if (codeVerifier !== nopkce) {
		assertString$1(codeVerifier, "\"codeVerifier\"");
		parameters.set("code_verifier", codeVerifier);
	}
	return tokenEndpointRequest(as, client, clientAuthentication, "authorization_code", parameters, options);
}
function validatePresence(required, result) {
	for (const claim of required) if (result.claims[claim] === void 0) throw OPE(`JWT "${claim}" (${jwtClaimNames[claim]}) claim missing`, INVALID_RESPONSE, { claims: result.claims });
	return result;
}
function validateStringClaim(claim, result) {
	if (typeof result.claims[claim] !== "string") throw OPE(`unexpected JWT "${claim}" (${jwtClaimNames[claim]}) claim type`, INVALID_RESPONSE, { claims: result.claims });
	return result;
}
function validateIdTokenClaims(as, client, idToken, requiredClaims, decryptFn) {
	return validateJwt(idToken, checkSigningAlgorithm.bind(void 0, client.id_token_signed_response_alg, as.id_token_signing_alg_values_supported, "RS256"), getClockSkew(client), getClockTolerance(client), decryptFn).then(validatePresence.bind(void 0, [
		"aud",
		"exp",
		"iat",
		"iss",
		"sub",
		...requiredClaims
	])).then(validateIssuer.bind(void 0, as)).then(validateAudience.bind(void 0, client.client_id)).then(validateStringClaim.bind(void 0, "sub"));
}
function resolveIdTokenMaxAge(client, maxAge) {
	if (maxAge === skipAuthTimeCheck) return maxAge;
	const fromClient = maxAge === void 0;
	if (fromClient) maxAge = client.default_max_age;
	if (maxAge === void 0) return skipAuthTimeCheck;
	assertNumber(maxAge, true, fromClient ? "\"client.default_max_age\"" : "\"maxAge\" argument");
	return maxAge;
}
function validateIdTokenAuthTimeClaim(claims) {
	if (claims.auth_time !== void 0) assertNumber(claims.auth_time, true, "ID Token \"auth_time\" (authentication time)", INVALID_RESPONSE, { claims });
}
function validateIdTokenAuthTime(client, claims, maxAge) {
	if (maxAge === skipAuthTimeCheck) return;
	const now = epochTime() + getClockSkew(client);
	const tolerance = getClockTolerance(client);
	if (claims.auth_time + maxAge < now - tolerance) throw OPE("too much time has elapsed since the last End-User authentication", JWT_TIMESTAMP_CHECK, {
		claims,
		now,
		tolerance,
		claim: "auth_time"
	});
}
function validateIdTokenNonce(claims, expectedNonce) {
	const expected = expectedNonce === expectNoNonce ? void 0 : expectedNonce;
	if (claims.nonce !== expected) throw OPE("unexpected ID Token \"nonce\" claim value", JWT_CLAIM_COMPARISON, {
		expected,
		claims,
		claim: "nonce"
	});
}
function validateIdTokenAuthorizedParty(client, claims) {
	if (Array.isArray(claims.aud) && claims.aud.length !== 1) {
		if (claims.azp === void 0) throw OPE("ID Token \"aud\" (audience) claim includes additional untrusted audiences", JWT_CLAIM_COMPARISON, {
			claims,
			claim: "aud"
		});
		if (claims.azp !== client.client_id) throw OPE("unexpected ID Token \"azp\" (authorized party) claim value", JWT_CLAIM_COMPARISON, {
			expected: client.client_id,
			claims,
			claim: "azp"
		});
	}
}
async function processAuthorizationCodeResponse(as, client, response, options) {
	if (typeof options?.expectedNonce === "string" || typeof options?.maxAge === "number" || options?.requireIdToken) return processAuthorizationCodeOpenIDResponse(as, client, response, options.expectedNonce, options.maxAge, options[jweDecrypt], options.recognizedTokenTypes);
	return processAuthorizationCodeOAuth2Response(as, client, response, options?.maxAge, options?.[jweDecrypt], options?.recognizedTokenTypes);
}
async function processAuthorizationCodeOpenIDResponse(as, client, response, expectedNonce, maxAge, decryptFn, recognizedTokenTypes) {
	const additionalRequiredClaims = [];
	switch (expectedNonce) {
		case void 0:
			expectedNonce = expectNoNonce;
			break;
		case expectNoNonce: break;
		default:
			assertString$1(expectedNonce, "\"expectedNonce\" argument");
			additionalRequiredClaims.push("nonce");
	}
	maxAge = resolveIdTokenMaxAge(client, maxAge);
	if (maxAge !== skipAuthTimeCheck) additionalRequiredClaims.push("auth_time");
	const result = await processGenericAccessTokenResponse(as, client, response, additionalRequiredClaims, decryptFn, recognizedTokenTypes);
	assertString$1(result.id_token, "\"response\" body \"id_token\" property", INVALID_RESPONSE, { body: result });
	const claims = getValidatedIdTokenClaims(result);
	validateIdTokenAuthTime(client, claims, maxAge);
	validateIdTokenNonce(claims, expectedNonce);
	return result;
}
async function processAuthorizationCodeOAuth2Response(as, client, response, maxAge, decryptFn, recognizedTokenTypes) {
	const result = await processGenericAccessTokenResponse(as, client, response, void 0, decryptFn, recognizedTokenTypes);
	const claims = getValidatedIdTokenClaims(result);
	if (claims) {
		validateIdTokenAuthTime(client, claims, resolveIdTokenMaxAge(client, maxAge));
		validateIdTokenNonce(claims, expectNoNonce);
	}
	return result;
}
function checkJwtType(expected, result) {
	if (typeof result.header.typ !== "string" || normalizeTyp(result.header.typ) !== expected) throw OPE("unexpected JWT \"typ\" header parameter value", INVALID_RESPONSE, { header: result.header });
	return result;
}
async function clientCredentialsGrantRequest(as, client, clientAuthentication, parameters, options) {
	assertAs(as);
	assertClient(client);
	return tokenEndpointRequest(as, client, clientAuthentication, "client_credentials", new URLSearchParams(parameters), options);
}
async function genericTokenEndpointRequest(as, client, clientAuthentication, grantType, parameters, options) {
	assertAs(as);
	assertClient(client);
	assertString$1(grantType, "\"grantType\"");
	return tokenEndpointRequest(as, client, clientAuthentication, grantType, new URLSearchParams(parameters), options);
}
async function processGenericTokenEndpointResponse(as, client, response, options) {
	return processGenericAccessTokenResponse(as, client, response, void 0, options?.[jweDecrypt], options?.recognizedTokenTypes);
}
async function processClientCredentialsResponse(as, client, response, options) {
	return processGenericAccessTokenResponse(as, client, response, void 0, options?.[jweDecrypt], options?.recognizedTokenTypes);
}
async function revocationRequest(as, client, clientAuthentication, token, options) {
	assertAs(as);
	assertClient(client);
	assertString$1(token, "\"token\"");
	const url = resolveEndpoint(as, "revocation_endpoint", client.use_mtls_endpoint_aliases, options?.[allowInsecureRequests$1] !== true);
	const body = new URLSearchParams(options?.additionalParameters);
	body.set("token", token);
	const headers = prepareHeaders(options?.headers);
	headers.delete("accept");
	return authenticatedRequest(as, client, clientAuthentication, url, body, headers, options);
}
async function processRevocationResponse(response) {
	if (!looseInstanceOf(response, Response)) throw CodedTypeError$1("\"response\" must be an instance of Response", ERR_INVALID_ARG_TYPE$1);
	await checkOAuthBodyError(response, 200, "Revocation Endpoint");
}
function assertReadableResponse(response) {
	if (response.bodyUsed) throw CodedTypeError$1("\"response\" body has been used already", ERR_INVALID_ARG_VALUE$1);
}
async function introspectionRequest(as, client, clientAuthentication, token, options) {
	assertAs(as);
	assertClient(client);
	assertString$1(token, "\"token\"");
	const url = resolveEndpoint(as, "introspection_endpoint", client.use_mtls_endpoint_aliases, options?.[allowInsecureRequests$1] !== true);
	const body = new URLSearchParams(options?.additionalParameters);
	body.set("token", token);
	const headers = prepareHeaders(options?.headers);
	if (options?.requestJwtResponse ?? client.introspection_signed_response_alg) headers.set("accept", "application/token-introspection+jwt");
	else headers.set("accept", "application/json");
	return authenticatedRequest(as, client, clientAuthentication, url, body, headers, options);
}
async function processIntrospectionResponse(as, client, response, options) {
	assertAs(as);
	assertClient(client);
	if (!looseInstanceOf(response, Response)) throw CodedTypeError$1("\"response\" must be an instance of Response", ERR_INVALID_ARG_TYPE$1);
	await checkOAuthBodyError(response, 200, "Introspection Endpoint");
	let json;
	if (getContentType(response) === "application/token-introspection+jwt") {
		assertReadableResponse(response);
		const { claims, jwt } = await validateJwt(await response.text(), checkSigningAlgorithm.bind(void 0, client.introspection_signed_response_alg, as.introspection_signing_alg_values_supported, "RS256"), getClockSkew(client), getClockTolerance(client), options?.[jweDecrypt]).then(checkJwtType.bind(void 0, "token-introspection+jwt")).then(validatePresence.bind(void 0, [
			"aud",
			"iat",
			"iss"
		])).then(validateIssuer.bind(void 0, as)).then(validateAudience.bind(void 0, client.client_id));
		jwtRefs.set(response, jwt);
		if (!isJsonObject(claims.token_introspection)) throw OPE("JWT \"token_introspection\" claim must be a JSON object", INVALID_RESPONSE, { claims });
		json = claims.token_introspection;
	} else {
		assertReadableResponse(response);
		json = await getResponseJsonBody(response);
	}
	if (typeof json.active !== "boolean") throw OPE("\"response\" body \"active\" property must be a boolean", INVALID_RESPONSE, { body: json });
	return json;
}
async function jwksRequest(as, options) {
	assertAs(as);
	const url = resolveEndpoint(as, "jwks_uri", false, options?.[allowInsecureRequests$1] !== true);
	const headers = prepareHeaders(options?.headers);
	headers.set("accept", "application/json");
	headers.append("accept", "application/jwk-set+json");
	const requestHeaders = Object.fromEntries(headers.entries());
	const headersKey = JSON.stringify(requestHeaders);
	const fetcher = options?.[customFetch$1] || fetch;
	const requestSignal = signal$1(url, options?.signal);
	jwksRequests ||= new WeakMap();
	const requests = jwksRequests.get(as) ?? new Set();
	for (const pending of requests) if (pending.url === url.href && pending.headers === headersKey && pending.fetch === fetcher && pending.signal === requestSignal) return pending.promise;
	const pending = {
		url: url.href,
		headers: headersKey,
		fetch: fetcher,
		signal: requestSignal,
		promise: Promise.resolve().then(() => fetcher(url.href, {
			body: void 0,
			headers: requestHeaders,
			method: "GET",
			redirect: "manual",
			signal: requestSignal
		})).then(processJwksResponse).then((jwks) => {
			const uat = epochTime();
			setJwksCache$1(as, jwks, uat);
			return {
				jwks,
				uat
			};
		}).finally(() => {
			requests.delete(pending);
			if (!requests.size) jwksRequests.delete(as);
		})
	};
	requests.add(pending);
	jwksRequests.set(as, requests);
	return pending.promise;
}
async function processJwksResponse(response) {
	if (!looseInstanceOf(response, Response)) throw CodedTypeError$1("\"response\" must be an instance of Response", ERR_INVALID_ARG_TYPE$1);
	if (response.status !== 200) throw OPE("\"response\" is not a conform JSON Web Key Set response (unexpected HTTP status code)", RESPONSE_IS_NOT_CONFORM, response);
	assertReadableResponse(response);
	const json = await getResponseJsonBody(response, (response) => assertContentTypes(response, "application/json", "application/jwk-set+json"));
	if (!Array.isArray(json.keys)) throw OPE("\"response\" body \"keys\" property must be an array", INVALID_RESPONSE, { body: json });
	if (!Array.prototype.every.call(json.keys, isJsonObject)) throw OPE("\"response\" body \"keys\" property members must be JWK formatted objects", INVALID_RESPONSE, { body: json });
	return json;
}
function supported$1(alg) {
	switch (alg) {
		case "PS256":
		case "ES256":
		case "RS256":
		case "PS384":
		case "ES384":
		case "RS384":
		case "PS512":
		case "ES512":
		case "RS512":
		case "Ed25519":
		case "EdDSA":
		case "ML-DSA-44":
		case "ML-DSA-65":
		case "ML-DSA-87": return true;
		default: return false;
	}
}
function checkSupportedJwsAlg(header) {
	if (!supported$1(header.alg)) throw new UnsupportedOperationError("unsupported JWS \"alg\" identifier", { cause: { alg: header.alg } });
}
function checkRsaKeyAlgorithm(key) {
	const { algorithm } = key;
	if (typeof algorithm.modulusLength !== "number" || algorithm.modulusLength < 2048) throw new UnsupportedOperationError(`unsupported ${algorithm.name} modulusLength`, { cause: key });
}
function ecdsaHashName(key) {
	const { algorithm } = key;
	switch (algorithm.namedCurve) {
		case "P-256": return "SHA-256";
		case "P-384": return "SHA-384";
		case "P-521": return "SHA-512";
		default: throw new UnsupportedOperationError("unsupported ECDSA namedCurve", { cause: key });
	}
}
function keyToSubtle(key) {
	switch (key.algorithm.name) {
		case "ECDSA": return {
			name: key.algorithm.name,
			hash: ecdsaHashName(key)
		};
		case "RSA-PSS":
			checkRsaKeyAlgorithm(key);
			switch (key.algorithm.hash.name) {
				case "SHA-256":
				case "SHA-384":
				case "SHA-512": return {
					name: key.algorithm.name,
					saltLength: parseInt(key.algorithm.hash.name.slice(-3), 10) >> 3
				};
				default: throw new UnsupportedOperationError("unsupported RSA-PSS hash name", { cause: key });
			}
		case "RSASSA-PKCS1-v1_5":
			checkRsaKeyAlgorithm(key);
			return key.algorithm.name;
		case "ML-DSA-44":
		case "ML-DSA-65":
		case "ML-DSA-87":
		case "Ed25519": return key.algorithm.name;
	}
	throw new UnsupportedOperationError("unsupported CryptoKey algorithm name", { cause: key });
}
async function validateJwsSignature(protectedHeader, payload, key, signature) {
	const data = buf(`${protectedHeader}.${payload}`);
	const algorithm = keyToSubtle(key);
	if (!await crypto.subtle.verify(algorithm, key, signature, data)) throw OPE("JWT signature verification failed", INVALID_RESPONSE, {
		key,
		data,
		signature,
		algorithm
	});
}
async function validateJwt(jws, checkAlg, clockSkew, clockTolerance, decryptJwt) {
	let { 0: protectedHeader, 1: payload, length } = jws.split(".");
	if (length === 5) {
		if (decryptJwt !== void 0) {
			jws = await decryptJwt(jws);
			({0: protectedHeader, 1: payload, length} = jws.split("."));
		} else throw new UnsupportedOperationError("JWE decryption is not configured", { cause: jws });
	}
	if (length !== 3) throw OPE("Invalid JWT", INVALID_RESPONSE, jws);
	let header;
	try {
		header = JSON.parse(buf(b64u(protectedHeader)));
	} catch (cause) {
		throw OPE("failed to parse JWT Header body as base64url encoded JSON", PARSE_ERROR, cause);
	}
	if (!isJsonObject(header)) throw OPE("JWT Header must be a top level object", INVALID_RESPONSE, jws);
	checkAlg(header);
	if (header.crit !== void 0) throw new UnsupportedOperationError("no JWT \"crit\" header parameter extensions are supported", { cause: { header } });
	let claims;
	try {
		claims = JSON.parse(buf(b64u(payload)));
	} catch (cause) {
		throw OPE("failed to parse JWT Payload body as base64url encoded JSON", PARSE_ERROR, cause);
	}
	if (!isJsonObject(claims)) throw OPE("JWT Payload must be a top level object", INVALID_RESPONSE, jws);
	const now = epochTime() + clockSkew;
	if (claims.exp !== void 0) {
		if (typeof claims.exp !== "number") throw OPE("unexpected JWT \"exp\" (expiration time) claim type", INVALID_RESPONSE, { claims });
		if (claims.exp <= now - clockTolerance) throw OPE("unexpected JWT \"exp\" (expiration time) claim value, expiration is past current timestamp", JWT_TIMESTAMP_CHECK, {
			claims,
			now,
			tolerance: clockTolerance,
			claim: "exp"
		});
	}
	if (claims.iat !== void 0) {
		if (typeof claims.iat !== "number") throw OPE("unexpected JWT \"iat\" (issued at) claim type", INVALID_RESPONSE, { claims });
	}
	if (claims.iss !== void 0) {
		if (typeof claims.iss !== "string") throw OPE("unexpected JWT \"iss\" (issuer) claim type", INVALID_RESPONSE, { claims });
	}
	if (claims.nbf !== void 0) {
		if (typeof claims.nbf !== "number") throw OPE("unexpected JWT \"nbf\" (not before) claim type", INVALID_RESPONSE, { claims });
		if (claims.nbf > now + clockTolerance) throw OPE("unexpected JWT \"nbf\" (not before) claim value", JWT_TIMESTAMP_CHECK, {
			claims,
			now,
			tolerance: clockTolerance,
			claim: "nbf"
		});
	}
	if (claims.aud !== void 0) {
		if (typeof claims.aud !== "string" && !Array.isArray(claims.aud)) throw OPE("unexpected JWT \"aud\" (audience) claim type", INVALID_RESPONSE, { claims });
	}
	return {
		header,
		claims,
		jwt: jws
	};
}
async function validateJwtAuthResponse(as, client, parameters, expectedState, options) {
	assertAs(as);
	assertClient(client);
	if (parameters instanceof URL) parameters = parameters.searchParams;
	if (!(parameters instanceof URLSearchParams)) throw CodedTypeError$1("\"parameters\" must be an instance of URLSearchParams, or URL", ERR_INVALID_ARG_TYPE$1);
	const response = getURLSearchParameter(parameters, "response");
	if (!response) throw OPE("\"parameters\" does not contain a JARM response", INVALID_RESPONSE);
	const { claims, header, jwt } = await validateJwt(response, checkSigningAlgorithm.bind(void 0, client.authorization_signed_response_alg, as.authorization_signing_alg_values_supported, "RS256"), getClockSkew(client), getClockTolerance(client), options?.[jweDecrypt]).then(validatePresence.bind(void 0, [
		"aud",
		"exp",
		"iss"
	])).then(validateIssuer.bind(void 0, as)).then(validateAudience.bind(void 0, client.client_id));
	const { 0: protectedHeader, 1: payload, 2: encodedSignature } = jwt.split(".");
	const signature = b64u(encodedSignature);
	await validateJwsSignature(protectedHeader, payload, await getPublicSigKeyFromIssuerJwksUri(as, options, header), signature);
	const result = new URLSearchParams();
	for (const [key, value] of Object.entries(claims)) if (typeof value === "string" && key !== "aud") result.set(key, value);
	return validateAuthResponse(as, client, result, expectedState);
}
async function idTokenHash(data, header, claimName) {
	let algorithm;
	switch (header.alg) {
		case "RS256":
		case "PS256":
		case "ES256":
			algorithm = "SHA-256";
			break;
		case "RS384":
		case "PS384":
		case "ES384":
			algorithm = "SHA-384";
			break;
		case "RS512":
		case "PS512":
		case "ES512":
		case "Ed25519":
		case "EdDSA":
			algorithm = "SHA-512";
			break;
		case "ML-DSA-44":
		case "ML-DSA-65":
		case "ML-DSA-87":
			algorithm = {
				name: "cSHAKE256",
				length: 512,
				outputLength: 512
			};
			break;
		default: throw new UnsupportedOperationError(`unsupported JWS algorithm for ${claimName} calculation`, { cause: { alg: header.alg } });
	}
	const digest = await crypto.subtle.digest(algorithm, buf(data));
	return b64u(digest.slice(0, digest.byteLength / 2));
}
async function idTokenHashMatches(data, actual, header, claimName) {
	return actual === await idTokenHash(data, header, claimName);
}
async function validateDetachedSignatureResponse(as, client, parameters, expectedNonce, expectedState, maxAge, options) {
	return validateHybridResponse(as, client, parameters, expectedNonce, expectedState, maxAge, options, true);
}
async function validateCodeIdTokenResponse$1(as, client, parameters, expectedNonce, expectedState, maxAge, options) {
	return validateHybridResponse(as, client, parameters, expectedNonce, expectedState, maxAge, options, false);
}
async function consumeStream(request) {
	if (request.bodyUsed) throw CodedTypeError$1("form_post Request instances must contain a readable body", ERR_INVALID_ARG_VALUE$1, { cause: request });
	return request.text();
}
async function formPostResponse(request) {
	if (request.method !== "POST") throw CodedTypeError$1("form_post responses are expected to use the POST method", ERR_INVALID_ARG_VALUE$1, { cause: request });
	if (getContentType(request) !== "application/x-www-form-urlencoded") throw CodedTypeError$1("form_post responses are expected to use the application/x-www-form-urlencoded content-type", ERR_INVALID_ARG_VALUE$1, { cause: request });
	return consumeStream(request);
}
async function validateHybridResponse(as, client, parameters, expectedNonce, expectedState, maxAge, options, fapi) {
	assertAs(as);
	assertClient(client);
	if (parameters instanceof URL) {
		if (!parameters.hash.length) throw CodedTypeError$1("\"parameters\" as an instance of URL must contain a hash (fragment) with the Authorization Response parameters", ERR_INVALID_ARG_VALUE$1);
		parameters = new URLSearchParams(parameters.hash.slice(1));
	} else if (looseInstanceOf(parameters, Request)) parameters = new URLSearchParams(await formPostResponse(parameters));
	else if (parameters instanceof URLSearchParams) parameters = new URLSearchParams(parameters);
	else throw CodedTypeError$1("\"parameters\" must be an instance of URLSearchParams, URL, or Response", ERR_INVALID_ARG_TYPE$1);
	const id_token = getURLSearchParameter(parameters, "id_token");
	parameters.delete("id_token");
	switch (expectedState) {
		case void 0:
		case expectNoState: break;
		default: assertString$1(expectedState, "\"expectedState\" argument");
	}
	const result = validateAuthResponse({
		...as,
		authorization_response_iss_parameter_supported: false
	}, client, parameters, expectedState);
	if (!id_token) throw OPE("\"parameters\" does not contain an ID Token", INVALID_RESPONSE);
	const code = getURLSearchParameter(parameters, "code");
	if (!code) throw OPE("\"parameters\" does not contain an Authorization Code", INVALID_RESPONSE);
	const requiredClaims = ["nonce", "c_hash"];
	const state = parameters.get("state");
	if (fapi && (typeof expectedState === "string" || state !== null)) requiredClaims.push("s_hash");
	maxAge = resolveIdTokenMaxAge(client, maxAge);
	if (client.require_auth_time || maxAge !== skipAuthTimeCheck) requiredClaims.push("auth_time");
	const { claims, header, jwt } = await validateIdTokenClaims(as, client, id_token, requiredClaims, options?.[jweDecrypt]);
	const clockSkew = getClockSkew(client);
	const now = epochTime() + clockSkew;
	if (claims.iat < now - 3600) throw OPE("unexpected JWT \"iat\" (issued at) claim value, it is too far in the past", JWT_TIMESTAMP_CHECK, {
		now,
		claims,
		claim: "iat"
	});
	assertString$1(claims.c_hash, "ID Token \"c_hash\" (code hash) claim value", INVALID_RESPONSE, { claims });
	validateIdTokenAuthTimeClaim(claims);
	validateIdTokenAuthTime(client, claims, maxAge);
	assertString$1(expectedNonce, "\"expectedNonce\" argument");
	validateIdTokenNonce(claims, expectedNonce);
	validateIdTokenAuthorizedParty(client, claims);
	const { 0: protectedHeader, 1: payload, 2: encodedSignature } = jwt.split(".");
	const signature = b64u(encodedSignature);
	await validateJwsSignature(protectedHeader, payload, await getPublicSigKeyFromIssuerJwksUri(as, options, header), signature);
	if (await idTokenHashMatches(code, claims.c_hash, header, "c_hash") !== true) throw OPE("invalid ID Token \"c_hash\" (code hash) claim value", JWT_CLAIM_COMPARISON, {
		code,
		alg: header.alg,
		claim: "c_hash",
		claims
	});
	if (fapi && state !== null || claims.s_hash !== void 0) {
		assertString$1(claims.s_hash, "ID Token \"s_hash\" (state hash) claim value", INVALID_RESPONSE, { claims });
		assertString$1(state, "\"state\" response parameter", INVALID_RESPONSE, { parameters });
		if (await idTokenHashMatches(state, claims.s_hash, header, "s_hash") !== true) throw OPE("invalid ID Token \"s_hash\" (state hash) claim value", JWT_CLAIM_COMPARISON, {
			state,
			alg: header.alg,
			claim: "s_hash",
			claims
		});
	}
	return result;
}
function checkSigningAlgorithm(client, issuer, fallback, header) {
	if (client !== void 0) {
		if (typeof client === "string" ? header.alg !== client : !client.includes(header.alg)) throw OPE("unexpected JWT \"alg\" header parameter", INVALID_RESPONSE, {
			header,
			expected: client,
			reason: "client configuration"
		});
		return;
	}
	if (Array.isArray(issuer)) {
		if (!issuer.includes(header.alg)) throw OPE("unexpected JWT \"alg\" header parameter", INVALID_RESPONSE, {
			header,
			expected: issuer,
			reason: "authorization server metadata"
		});
		return;
	}
	if (fallback !== void 0) {
		if (typeof fallback === "string" ? header.alg !== fallback : typeof fallback === "function" ? !fallback(header.alg) : !fallback.includes(header.alg)) throw OPE("unexpected JWT \"alg\" header parameter", INVALID_RESPONSE, {
			header,
			expected: fallback,
			reason: "default value"
		});
		return;
	}
	throw OPE("missing client or server configuration to verify used JWT \"alg\" header parameter", void 0, {
		client,
		issuer,
		fallback
	});
}
function getURLSearchParameter(parameters, name) {
	const { 0: value, length } = parameters.getAll(name);
	if (length > 1) throw OPE(`"${name}" parameter must be provided only once`, INVALID_RESPONSE);
	return value;
}
function validateAuthResponse(as, client, parameters, expectedState) {
	assertAs(as);
	assertClient(client);
	if (parameters instanceof URL) parameters = parameters.searchParams;
	if (!(parameters instanceof URLSearchParams)) throw CodedTypeError$1("\"parameters\" must be an instance of URLSearchParams, or URL", ERR_INVALID_ARG_TYPE$1);
	if (getURLSearchParameter(parameters, "response")) throw OPE("\"parameters\" contains a JARM response, use validateJwtAuthResponse() instead of validateAuthResponse()", INVALID_RESPONSE, { parameters });
	const iss = getURLSearchParameter(parameters, "iss");
	const state = getURLSearchParameter(parameters, "state");
	if (!iss && as.authorization_response_iss_parameter_supported) throw OPE("response parameter \"iss\" (issuer) missing", INVALID_RESPONSE, { parameters });
	if (iss && iss !== as.issuer) throw OPE("unexpected \"iss\" (issuer) response parameter value", INVALID_RESPONSE, {
		expected: as.issuer,
		parameters
	});
	switch (expectedState) {
		case void 0:
		case expectNoState:
			if (state !== void 0) throw OPE("unexpected \"state\" response parameter encountered", INVALID_RESPONSE, {
				expected: void 0,
				parameters
			});
			break;
		case skipStateCheck$1: break;
		default:
			assertString$1(expectedState, "\"expectedState\" argument");
			if (state !== expectedState) throw OPE(state === void 0 ? "response parameter \"state\" missing" : "unexpected \"state\" response parameter value", INVALID_RESPONSE, {
				expected: expectedState,
				parameters
			});
	}
	if (getURLSearchParameter(parameters, "error")) throw new AuthorizationResponseError("authorization response from the server is an error", { cause: parameters });
	const id_token = getURLSearchParameter(parameters, "id_token");
	const token = getURLSearchParameter(parameters, "token");
	if (id_token !== void 0 || token !== void 0) throw new UnsupportedOperationError("implicit and hybrid flows are not supported");
	return brand(new URLSearchParams(parameters));
}
function algToSubtle(alg) {
	switch (alg) {
		case "PS256":
		case "PS384":
		case "PS512": return {
			name: "RSA-PSS",
			hash: `SHA-${alg.slice(-3)}`
		};
		case "RS256":
		case "RS384":
		case "RS512": return {
			name: "RSASSA-PKCS1-v1_5",
			hash: `SHA-${alg.slice(-3)}`
		};
		case "ES256":
		case "ES384": return {
			name: "ECDSA",
			namedCurve: `P-${alg.slice(-3)}`
		};
		case "ES512": return {
			name: "ECDSA",
			namedCurve: "P-521"
		};
		case "EdDSA": return "Ed25519";
		case "Ed25519":
		case "ML-DSA-44":
		case "ML-DSA-65":
		case "ML-DSA-87": return alg;
		default: throw new UnsupportedOperationError("unsupported JWS algorithm", { cause: { alg } });
	}
}
async function importJwk(alg, jwk) {
	const { ext, key_ops, use, ...key } = jwk;
	return crypto.subtle.importKey("jwk", key, algToSubtle(alg), true, ["verify"]);
}
async function deviceAuthorizationRequest(as, client, clientAuthentication, parameters, options) {
	assertAs(as);
	assertClient(client);
	const url = resolveEndpoint(as, "device_authorization_endpoint", client.use_mtls_endpoint_aliases, options?.[allowInsecureRequests$1] !== true);
	const body = new URLSearchParams(parameters);
	body.set("client_id", client.client_id);
	const headers = prepareHeaders(options?.headers);
	headers.set("accept", "application/json");
	return authenticatedRequest(as, client, clientAuthentication, url, body, headers, options);
}
async function processDeviceAuthorizationResponse(as, client, response) {
	assertAs(as);
	assertClient(client);
	if (!looseInstanceOf(response, Response)) throw CodedTypeError$1("\"response\" must be an instance of Response", ERR_INVALID_ARG_TYPE$1);
	await checkOAuthBodyError(response, 200, "Device Authorization Endpoint");
	assertReadableResponse(response);
	const json = await getResponseJsonBody(response);
	assertString$1(json.device_code, "\"response\" body \"device_code\" property", INVALID_RESPONSE, { body: json });
	assertString$1(json.user_code, "\"response\" body \"user_code\" property", INVALID_RESPONSE, { body: json });
	assertString$1(json.verification_uri, "\"response\" body \"verification_uri\" property", INVALID_RESPONSE, { body: json });
	let expiresIn = typeof json.expires_in !== "number" ? parseFloat(json.expires_in) : json.expires_in;
	assertNumber(expiresIn, true, "\"response\" body \"expires_in\" property", INVALID_RESPONSE, { body: json });
	json.expires_in = expiresIn;
	if (json.verification_uri_complete !== void 0) assertString$1(json.verification_uri_complete, "\"response\" body \"verification_uri_complete\" property", INVALID_RESPONSE, { body: json });
	if (json.interval !== void 0) assertNumber(json.interval, false, "\"response\" body \"interval\" property", INVALID_RESPONSE, { body: json });
	return json;
}
async function deviceCodeGrantRequest(as, client, clientAuthentication, deviceCode, options) {
	assertAs(as);
	assertClient(client);
	assertString$1(deviceCode, "\"deviceCode\"");
	const parameters = new URLSearchParams(options?.additionalParameters);
	parameters.set("device_code", deviceCode);
	return tokenEndpointRequest(as, client, clientAuthentication, "urn:ietf:params:oauth:grant-type:device_code", parameters, options);
}
async function processDeviceCodeResponse(as, client, response, options) {
	return processGenericAccessTokenResponse(as, client, response, void 0, options?.[jweDecrypt], options?.recognizedTokenTypes);
}
async function generateKeyPair(alg, options) {
	assertString$1(alg, "\"alg\"");
	const algorithm = algToSubtle(alg);
	if (alg.startsWith("PS") || alg.startsWith("RS")) Object.assign(algorithm, {
		modulusLength: options?.modulusLength ?? 2048,
		publicExponent: new Uint8Array([
			1,
			0,
			1
		])
	});
	return crypto.subtle.generateKey(algorithm, options?.extractable ?? false, ["sign", "verify"]);
}
async function backchannelAuthenticationRequest(as, client, clientAuthentication, parameters, options) {
	assertAs(as);
	assertClient(client);
	const url = resolveEndpoint(as, "backchannel_authentication_endpoint", client.use_mtls_endpoint_aliases, options?.[allowInsecureRequests$1] !== true);
	const body = new URLSearchParams(parameters);
	body.set("client_id", client.client_id);
	const headers = prepareHeaders(options?.headers);
	headers.set("accept", "application/json");
	return authenticatedRequest(as, client, clientAuthentication, url, body, headers, options);
}
async function processBackchannelAuthenticationResponse(as, client, response) {
	assertAs(as);
	assertClient(client);
	if (!looseInstanceOf(response, Response)) throw CodedTypeError$1("\"response\" must be an instance of Response", ERR_INVALID_ARG_TYPE$1);
	await checkOAuthBodyError(response, 200, "Backchannel Authentication Endpoint");
	assertReadableResponse(response);
	const json = await getResponseJsonBody(response);
	assertString$1(json.auth_req_id, "\"response\" body \"auth_req_id\" property", INVALID_RESPONSE, { body: json });
	let expiresIn = typeof json.expires_in !== "number" ? parseFloat(json.expires_in) : json.expires_in;
	assertNumber(expiresIn, true, "\"response\" body \"expires_in\" property", INVALID_RESPONSE, { body: json });
	json.expires_in = expiresIn;
	if (json.interval !== void 0) assertNumber(json.interval, false, "\"response\" body \"interval\" property", INVALID_RESPONSE, { body: json });
	return json;
}
async function backchannelAuthenticationGrantRequest(as, client, clientAuthentication, authReqId, options) {
	assertAs(as);
	assertClient(client);
	assertString$1(authReqId, "\"authReqId\"");
	const parameters = new URLSearchParams(options?.additionalParameters);
	parameters.set("auth_req_id", authReqId);
	return tokenEndpointRequest(as, client, clientAuthentication, "urn:openid:params:grant-type:ciba", parameters, options);
}
async function processBackchannelAuthenticationGrantResponse(as, client, response, options) {
	return processGenericAccessTokenResponse(as, client, response, void 0, options?.[jweDecrypt], options?.recognizedTokenTypes);
}
async function dynamicClientRegistrationRequest(as, metadata, options) {
	assertAs(as);
	const url = resolveEndpoint(as, "registration_endpoint", metadata.use_mtls_endpoint_aliases, options?.[allowInsecureRequests$1] !== true);
	const headers = prepareHeaders(options?.headers);
	headers.set("accept", "application/json");
	headers.set("content-type", "application/json");
	const method = "POST";
	if (options?.DPoP) {
		assertDPoP(options.DPoP);
		await options.DPoP.addProof(url, headers, method, options.initialAccessToken);
	}
	if (options?.initialAccessToken) headers.set("authorization", `${headers.has("dpop") ? "DPoP" : "Bearer"} ${options.initialAccessToken}`);
	const response = await (options?.[customFetch$1] || fetch)(url.href, {
		body: JSON.stringify(metadata),
		headers: Object.fromEntries(headers.entries()),
		method,
		redirect: "manual",
		signal: signal$1(url, options?.signal)
	});
	options?.DPoP?.cacheNonce(response, url);
	return response;
}
async function processDynamicClientRegistrationResponse(response) {
	if (!looseInstanceOf(response, Response)) throw CodedTypeError$1("\"response\" must be an instance of Response", ERR_INVALID_ARG_TYPE$1);
	await checkOAuthBodyError(response, 201, "Dynamic Client Registration Endpoint");
	assertReadableResponse(response);
	const json = await getResponseJsonBody(response);
	assertString$1(json.client_id, "\"response\" body \"client_id\" property", INVALID_RESPONSE, { body: json });
	if (json.client_secret !== void 0) assertString$1(json.client_secret, "\"response\" body \"client_secret\" property", INVALID_RESPONSE, { body: json });
	if (json.client_secret) assertNumber(json.client_secret_expires_at, true, "\"response\" body \"client_secret_expires_at\" property", INVALID_RESPONSE, { body: json });
	return json;
}
async function getResponseJsonBody(response, check = assertApplicationJson) {
	let json;
	try {
		json = await response.json();
	} catch (cause) {
		check(response);
		throw OPE("failed to parse \"response\" body as JSON", PARSE_ERROR, cause);
	}
	if (!isJsonObject(json)) throw OPE("\"response\" body must be a top level object", INVALID_RESPONSE, { body: json });
	return json;
}
var USER_AGENT$1, ERR_INVALID_ARG_VALUE$1, ERR_INVALID_ARG_TYPE$1, allowInsecureRequests$1, clockSkew$1, clockTolerance$1, customFetch$1, modifyAssertion$1, jweDecrypt, jwksCache, encoder$1, decoder$2, encodeBase64Url, decodeBase64Url, UnsupportedOperationError, OperationProcessingError, jwkCache, URLParse, DPoPHandler, ResponseBodyError, AuthorizationResponseError, WWWAuthenticateChallengeError, schemeRE, quotedParamRE, unquotedParamRE, token68ParamRE, jwksMap, jwksRequests, jwksKeys, skipSubjectCheck$1, idTokenClaims, jwtRefs, branded, nopkce, jwtClaimNames, expectNoNonce, skipAuthTimeCheck, WWW_AUTHENTICATE_CHALLENGE, RESPONSE_BODY_ERROR, UNSUPPORTED_OPERATION, AUTHORIZATION_RESPONSE_ERROR, JWT_USERINFO_EXPECTED, PARSE_ERROR, INVALID_RESPONSE, RESPONSE_IS_NOT_JSON, RESPONSE_IS_NOT_CONFORM, HTTP_REQUEST_FORBIDDEN, REQUEST_PROTOCOL_FORBIDDEN, JWT_TIMESTAMP_CHECK, JWT_CLAIM_COMPARISON, JSON_ATTRIBUTE_COMPARISON, KEY_SELECTION, MISSING_SERVER_METADATA, INVALID_SERVER_METADATA, skipStateCheck$1, expectNoState, _nodiscoverycheck, _expectedIssuer;
var init_build$1 = __esmMin((() => {
	if (typeof navigator === "undefined" || !navigator.userAgent?.startsWith?.("Mozilla/5.0 ")) USER_AGENT$1 = `oauth4webapi/v3.8.8`;
	ERR_INVALID_ARG_VALUE$1 = "ERR_INVALID_ARG_VALUE";
	ERR_INVALID_ARG_TYPE$1 = "ERR_INVALID_ARG_TYPE";
	allowInsecureRequests$1 = Symbol();
	clockSkew$1 = Symbol();
	clockTolerance$1 = Symbol();
	customFetch$1 = Symbol();
	modifyAssertion$1 = Symbol();
	jweDecrypt = Symbol();
	jwksCache = Symbol();
	encoder$1 = new TextEncoder();
	decoder$2 = new TextDecoder();
	if (Uint8Array.prototype.toBase64) encodeBase64Url = (input) => {
		if (input instanceof ArrayBuffer) input = new Uint8Array(input);
		return input.toBase64({
			alphabet: "base64url",
			omitPadding: true
		});
	};
	else {
		const CHUNK_SIZE = 32768;
		encodeBase64Url = (input) => {
			if (input instanceof ArrayBuffer) input = new Uint8Array(input);
			const arr = [];
			for (let i = 0; i < input.byteLength; i += CHUNK_SIZE) arr.push(String.fromCharCode.apply(null, input.subarray(i, i + CHUNK_SIZE)));
			return btoa(arr.join("")).replace(/=/g, "").replace(/\+/g, "-").replace(/\//g, "_");
		};
	}
	if (Uint8Array.fromBase64) decodeBase64Url = (input) => {
		try {
			return Uint8Array.fromBase64(input, { alphabet: "base64url" });
		} catch (cause) {
			throw CodedTypeError$1("The input to be decoded is not correctly encoded.", ERR_INVALID_ARG_VALUE$1, cause);
		}
	};
	else decodeBase64Url = (input) => {
		try {
			const binary = atob(input.replace(/-/g, "+").replace(/_/g, "/").replace(/\s/g, ""));
			const bytes = new Uint8Array(binary.length);
			for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
			return bytes;
		} catch (cause) {
			throw CodedTypeError$1("The input to be decoded is not correctly encoded.", ERR_INVALID_ARG_VALUE$1, cause);
		}
	};
	UnsupportedOperationError = class extends Error {
		code;
		constructor(message, options) {
			super(message, options);
			this.name = this.constructor.name;
			this.code = UNSUPPORTED_OPERATION;
			Error.captureStackTrace?.(this, this.constructor);
		}
	};
	OperationProcessingError = class extends Error {
		code;
		constructor(message, options) {
			super(message, options);
			this.name = this.constructor.name;
			if (options?.code) this.code = options?.code;
			Error.captureStackTrace?.(this, this.constructor);
		}
	};
	URLParse = URL.parse ? (url, base) => URL.parse(url, base) : (url, base) => {
		try {
			return new URL(url, base);
		} catch {
			return null;
		}
	};
	DPoPHandler = class {
		#header;
		#privateKey;
		#publicKey;
		#clockSkew;
		#modifyAssertion;
		#map;
		#jkt;
		constructor(client, keyPair, options) {
			assertPrivateKey(keyPair?.privateKey, "\"DPoP.privateKey\"");
			assertPublicKey(keyPair?.publicKey, "\"DPoP.publicKey\"");
			if (!keyPair.publicKey.extractable) throw CodedTypeError$1("\"DPoP.publicKey.extractable\" must be true", ERR_INVALID_ARG_VALUE$1);
			this.#modifyAssertion = options?.[modifyAssertion$1];
			this.#clockSkew = getClockSkew(client);
			this.#privateKey = keyPair.privateKey;
			this.#publicKey = keyPair.publicKey;
			branded.add(this);
		}
		#get(key) {
			this.#map ||= new Map();
			let item = this.#map.get(key);
			if (item) {
				this.#map.delete(key);
				this.#map.set(key, item);
			}
			return item;
		}
		#set(key, val) {
			this.#map ||= new Map();
			this.#map.delete(key);
			if (this.#map.size === 100) this.#map.delete(this.#map.keys().next().value);
			this.#map.set(key, val);
		}
		async calculateThumbprint() {
			if (!this.#jkt) {
				const jwk = await crypto.subtle.exportKey("jwk", this.#publicKey);
				this.#jkt ||= await calculateJwkThumbprint(jwk);
			}
			return this.#jkt;
		}
		async addProof(url, headers, htm, accessToken) {
			const alg = keyToJws(this.#privateKey);
			this.#header ||= {
				alg,
				typ: "dpop+jwt",
				jwk: await publicJwk(this.#publicKey, alg)
			};
			const nonce = this.#get(url.origin);
			const payload = {
				iat: epochTime() + this.#clockSkew,
				jti: randomBytes(),
				htm,
				nonce,
				htu: `${url.origin}${url.pathname}`,
				ath: accessToken ? b64u(await crypto.subtle.digest("SHA-256", buf(accessToken))) : void 0
			};
			this.#modifyAssertion?.(this.#header, payload);
			headers.set("dpop", await signJwt(this.#header, payload, this.#privateKey));
		}
		cacheNonce(response, url) {
			try {
				const nonce = response.headers.get("dpop-nonce");
				if (nonce) this.#set(url.origin, nonce);
			} catch {}
		}
	};
	ResponseBodyError = class extends Error {
		cause;
		code;
		error;
		status;
		error_description;
		response;
		constructor(message, options) {
			super(message, options);
			this.name = this.constructor.name;
			this.code = RESPONSE_BODY_ERROR;
			this.cause = options.cause;
			this.error = options.cause.error;
			this.status = options.response.status;
			this.error_description = options.cause.error_description;
			Object.defineProperty(this, "response", {
				enumerable: false,
				value: options.response
			});
			Error.captureStackTrace?.(this, this.constructor);
		}
	};
	AuthorizationResponseError = class extends Error {
		cause;
		code;
		error;
		error_description;
		constructor(message, options) {
			super(message, options);
			this.name = this.constructor.name;
			this.code = AUTHORIZATION_RESPONSE_ERROR;
			this.cause = options.cause;
			this.error = options.cause.get("error");
			this.error_description = options.cause.get("error_description") ?? void 0;
			Error.captureStackTrace?.(this, this.constructor);
		}
	};
	WWWAuthenticateChallengeError = class extends Error {
		cause;
		code;
		response;
		status;
		constructor(message, options) {
			super(message, options);
			this.name = this.constructor.name;
			this.code = WWW_AUTHENTICATE_CHALLENGE;
			this.cause = options.cause;
			this.status = options.response.status;
			this.response = options.response;
			Object.defineProperty(this, "response", { enumerable: false });
			Error.captureStackTrace?.(this, this.constructor);
		}
	};
	schemeRE = new RegExp("^[,\\s]*([a-zA-Z0-9!#$%&\\'\\*\\+\\-\\.\\^_`\\|~]+)");
	quotedParamRE = new RegExp("^[,\\s]*([a-zA-Z0-9!#$%&\\'\\*\\+\\-\\.\\^_`\\|~]+)\\s*=\\s*\"((?:[^\"\\\\]|\\\\[\\s\\S])*)\"[,\\s]*(.*)");
	unquotedParamRE = new RegExp("^[,\\s]*([a-zA-Z0-9!#$%&\\'\\*\\+\\-\\.\\^_`\\|~]+)\\s*=\\s*([a-zA-Z0-9!#$%&\\'\\*\\+\\-\\.\\^_`\\|~]+)[,\\s]*(.*)");
	token68ParamRE = new RegExp("^([a-zA-Z0-9\\-\\._\\~\\+\\/]+={0,2})(?:$|[,\\s])(.*)");
	skipSubjectCheck$1 = Symbol();
	idTokenClaims = new WeakMap();
	jwtRefs = new WeakMap();
	branded = new WeakSet();
	nopkce = Symbol();
	jwtClaimNames = {
		aud: "audience",
		c_hash: "code hash",
		client_id: "client id",
		exp: "expiration time",
		iat: "issued at",
		iss: "issuer",
		jti: "jwt id",
		nonce: "nonce",
		s_hash: "state hash",
		sub: "subject",
		ath: "access token hash",
		htm: "http method",
		htu: "http uri",
		cnf: "confirmation",
		auth_time: "authentication time"
	};
	expectNoNonce = Symbol();
	skipAuthTimeCheck = Symbol();
	WWW_AUTHENTICATE_CHALLENGE = "OAUTH_WWW_AUTHENTICATE_CHALLENGE";
	RESPONSE_BODY_ERROR = "OAUTH_RESPONSE_BODY_ERROR";
	UNSUPPORTED_OPERATION = "OAUTH_UNSUPPORTED_OPERATION";
	AUTHORIZATION_RESPONSE_ERROR = "OAUTH_AUTHORIZATION_RESPONSE_ERROR";
	JWT_USERINFO_EXPECTED = "OAUTH_JWT_USERINFO_EXPECTED";
	PARSE_ERROR = "OAUTH_PARSE_ERROR";
	INVALID_RESPONSE = "OAUTH_INVALID_RESPONSE";
	RESPONSE_IS_NOT_JSON = "OAUTH_RESPONSE_IS_NOT_JSON";
	RESPONSE_IS_NOT_CONFORM = "OAUTH_RESPONSE_IS_NOT_CONFORM";
	HTTP_REQUEST_FORBIDDEN = "OAUTH_HTTP_REQUEST_FORBIDDEN";
	REQUEST_PROTOCOL_FORBIDDEN = "OAUTH_REQUEST_PROTOCOL_FORBIDDEN";
	JWT_TIMESTAMP_CHECK = "OAUTH_JWT_TIMESTAMP_CHECK_FAILED";
	JWT_CLAIM_COMPARISON = "OAUTH_JWT_CLAIM_COMPARISON_FAILED";
	JSON_ATTRIBUTE_COMPARISON = "OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED";
	KEY_SELECTION = "OAUTH_KEY_SELECTION_FAILED";
	MISSING_SERVER_METADATA = "OAUTH_MISSING_SERVER_METADATA";
	INVALID_SERVER_METADATA = "OAUTH_INVALID_SERVER_METADATA";
	skipStateCheck$1 = Symbol();
	expectNoState = Symbol();
	_nodiscoverycheck = Symbol();
	_expectedIssuer = Symbol();
}));
function concat(...buffers) {
	const size = buffers.reduce((acc, { length }) => acc + length, 0), buf = new Uint8Array(size);
	let i = 0;
	for (const buffer of buffers) buf.set(buffer, i), i += buffer.length;
	return buf;
}
function writeUInt32BE(buf, value, offset) {
	if (value < 0 || value >= UINT32_RANGE) throw new RangeError(`value must be >= 0 and <= ${UINT32_RANGE - 1}. Received ${value}`);
	buf.set([
		value >>> 24,
		value >>> 16,
		value >>> 8,
		value & 255
	], offset);
}
function uint64be(value) {
	const high = Math.floor(value / UINT32_RANGE), low = value % UINT32_RANGE, buf = new Uint8Array(8);
	return writeUInt32BE(buf, high, 0), writeUInt32BE(buf, low, 4), buf;
}
function uint32be(value) {
	const buf = new Uint8Array(4);
	return writeUInt32BE(buf, value), buf;
}
function encode(string) {
	if (typeof string == "string" && string.length >= 128) {
		if (NON_ASCII.test(string)) throw new TypeError("non-ASCII string encountered in encode()");
		return encoder.encode(string);
	}
	const bytes = new Uint8Array(string.length);
	for (let i = 0; i < string.length; i++) {
		const code = string.charCodeAt(i);
		if (code > 127) throw new TypeError("non-ASCII string encountered in encode()");
		bytes[i] = code;
	}
	return bytes;
}
function decodeBase64(encoded, url = !1) {
	if (Uint8Array.fromBase64) return Uint8Array.fromBase64(encoded, { alphabet: url ? "base64url" : "base64" });
	if (url) {
		if (encoded.includes("+") || encoded.includes("/")) throw new TypeError("Invalid base64url");
		encoded = encoded.replace(/-/g, "+").replace(/_/g, "/");
	}
	const binary = atob(encoded), bytes = new Uint8Array(binary.length);
	for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
	return bytes;
}
async function digest(algorithm, data) {
	const subtleDigest = `SHA-${algorithm.slice(-3)}`;
	return new Uint8Array(await crypto.subtle.digest(subtleDigest, data));
}
var encoder, decoder$1, strictDecoder, UINT32_RANGE, NON_ASCII;
var init_buffer_utils = __esmMin((() => {
	encoder = new TextEncoder();
	decoder$1 = new TextDecoder();
	strictDecoder = new TextDecoder("utf-8", { fatal: !0 });
	UINT32_RANGE = 2 ** 32;
	NON_ASCII = /[^\x00-\x7f]/;
}));
var JOSEError, JOSEAlgNotAllowed, JOSENotSupported, JWEDecryptionFailed, JWEInvalid;
var init_errors = __esmMin((() => {
	JOSEError = class extends Error {
		static code = "ERR_JOSE_GENERIC";
		code = "ERR_JOSE_GENERIC";
		constructor(message, options) {
			super(message, options), this.name = this.constructor.name, Error.captureStackTrace?.(this, this.constructor);
		}
	};
	JOSEAlgNotAllowed = class extends JOSEError {
		static code = "ERR_JOSE_ALG_NOT_ALLOWED";
		code = "ERR_JOSE_ALG_NOT_ALLOWED";
	};
	JOSENotSupported = class extends JOSEError {
		static code = "ERR_JOSE_NOT_SUPPORTED";
		code = "ERR_JOSE_NOT_SUPPORTED";
	};
	JWEDecryptionFailed = class extends JOSEError {
		static code = "ERR_JWE_DECRYPTION_FAILED";
		code = "ERR_JWE_DECRYPTION_FAILED";
		constructor(message = "decryption operation failed", options) {
			super(message, options);
		}
	};
	JWEInvalid = class extends JOSEError {
		static code = "ERR_JWE_INVALID";
		code = "ERR_JWE_INVALID";
	};
}));
function decode(input) {
	try {
		return decodeBase64(typeof input == "string" ? input : decoder$1.decode(input), !0);
	} catch (cause) {
		throw new TypeError(invalid, { cause });
	}
}
var invalid;
var init_base64url = __esmMin((() => {
	init_buffer_utils();
	invalid = "The input to be decoded is not correctly encoded.";
}));
function isObject(input) {
	if (typeof input != "object" || input === null || Object.prototype.toString.call(input) !== "[object Object]") return !1;
	const prototype = Object.getPrototypeOf(input);
	return prototype === null || Object.getPrototypeOf(prototype) === null;
}
function isDisjoint(...headers) {
	const parameters = new Set();
	for (const header of headers) if (header) for (const parameter of Object.keys(header)) {
		if (parameters.has(parameter)) return !1;
		parameters.add(parameter);
	}
	return !0;
}
function decodeBase64url(value, label, ErrorClass) {
	try {
		return decode(value);
	} catch (cause) {
		throw new ErrorClass(`Failed to base64url decode the ${label}`, { cause });
	}
}
function encodeAsciiMember(value, label, ErrorClass) {
	try {
		return encode(value);
	} catch (cause) {
		throw new ErrorClass(`The ${label} is not a valid base64url string`, { cause });
	}
}
function parseJoseHeader(encodedProtectedHeader, ErrorClass, message) {
	let parsed;
	try {
		parsed = JSON.parse(strictDecoder.decode(decode(encodedProtectedHeader)));
	} catch (cause) {
		throw new ErrorClass(message, { cause });
	}
	if (!isObject(parsed)) throw new ErrorClass(message);
	return parsed;
}
function validateAlgorithms(option, algorithms) {
	if (algorithms !== void 0 && (!Array.isArray(algorithms) || algorithms.some((s) => typeof s != "string"))) throw new TypeError(`"${option}" option must be an array of strings`);
	return algorithms === void 0 ? void 0 : new Set(algorithms);
}
function validateCrit(Err, recognizedDefault, recognizedOption, protectedHeader, joseHeader) {
	if (joseHeader.crit !== void 0 && protectedHeader?.crit === void 0) throw new Err("\"crit\" (Critical) Header Parameter MUST be integrity protected");
	if (!protectedHeader || protectedHeader.crit === void 0) return [];
	if (!Array.isArray(protectedHeader.crit) || protectedHeader.crit.length === 0 || protectedHeader.crit.some((input) => typeof input != "string" || input.length === 0)) throw new Err("\"crit\" (Critical) Header Parameter MUST be an array of non-empty strings when present");
	const recognized = recognizedOption === void 0 ? recognizedDefault : {
		__proto__: null,
		...recognizedOption,
		...recognizedDefault
	};
	for (const parameter of protectedHeader.crit) {
		if (!(parameter in recognized)) throw new JOSENotSupported(`Extension Header Parameter "${parameter}" is not recognized`);
		if (!Object.hasOwn(joseHeader, parameter) || joseHeader[parameter] === void 0) throw new Err(`Extension Header Parameter "${parameter}" is missing`);
		if (recognized[parameter] && (!Object.hasOwn(protectedHeader, parameter) || protectedHeader[parameter] === void 0)) throw new Err(`Extension Header Parameter "${parameter}" MUST be integrity protected`);
	}
	return protectedHeader.crit;
}
var JWE_RECOGNIZED;
var init_validate = __esmMin((() => {
	init_errors();
	init_base64url();
	init_buffer_utils();
	JWE_RECOGNIZED = { __proto__: null };
}));
async function prepareKey(entry, key, usage) {
	const { alg, secret } = entry, requiresPrivateKey = usage === "decrypt" || usage === "sign";
	if (secret && key instanceof Uint8Array) return key;
	let normalized, keyObject;
	if (isObject(key)) {
		if (normalized = normalizeJwk(key), typeof normalized.kty != "string") throw invalidKeyType(alg, key, secret);
		if (!(secret ? normalized.kty === "oct" && typeof normalized.k == "string" : normalized.kty !== "oct" && (requiresPrivateKey ? normalized.kty === "AKP" && typeof normalized.priv == "string" || typeof normalized.d == "string" : normalized.d === void 0 && normalized.priv === void 0))) throw new TypeError(secret ? "JSON Web Key for symmetric algorithms must have JWK \"kty\" (Key Type) equal to \"oct\" and the JWK \"k\" (Key Value) present" : `JSON Web Key for this operation must be a ${requiresPrivateKey ? "private" : "public"} JWK`);
		if (jwkMatchesOp(entry, normalized, usage), normalized.kty === "oct") return decode(normalized.k);
		if (!Object.isFrozen(key)) {
			const { key_ops } = key;
			Array.isArray(key_ops) && Object.freeze(key_ops), Object.freeze(key);
		}
	} else {
		if (!isKeyLike(key)) throw invalidKeyType(alg, key, secret);
		const expectedType = secret ? "secret" : requiresPrivateKey ? "private" : "public";
		if (key.type !== expectedType && (secret || [
			"secret",
			"public",
			"private"
		].includes(key.type))) throw new TypeError(`${tag(key)} instances must be of type "${expectedType}" for the ${alg} algorithm`);
		if (isCryptoKey(key)) return key;
		if (keyObject = key, keyObject.type === "secret") return keyObject.export();
	}
	cache ||= new WeakMap();
	const cacheKey = key;
	let cached = cache.get(cacheKey);
	if (cached?.[alg]) return cached[alg];
	if (cached || cache.set(cacheKey, cached = {}), keyObject && typeof keyObject.toCryptoKey == "function") {
		const isPublic = keyObject.type === "public", crv = nist[keyObject.asymmetricKeyDetails?.namedCurve], params = entry.resolve?.({
			crv,
			asymmetricKeyType: keyObject.asymmetricKeyType
		}) ?? entry.subtle;
		return cached[alg] = keyObject.toCryptoKey(params, isPublic, entry.usages[isPublic ? 0 : 1]);
	}
	return normalized ??= keyObject.export({ format: "jwk" }), normalized.alg = alg, cached[alg] = await jwkToKey(entry, normalized);
}
function assertCryptoKey(key) {
	if (!isCryptoKey(key)) throw new Error("CryptoKey instance expected");
}
function message(msg, actual, ...types) {
	if (types.length > 2) {
		const last = types.pop();
		msg += `one of type ${types.join(", ")}, or ${last}.`;
	} else types.length === 2 ? msg += `one of type ${types[0]} or ${types[1]}.` : msg += `of type ${types[0]}.`;
	return actual == null ? msg += ` Received ${actual}` : typeof actual == "function" && actual.name ? msg += ` Received function ${actual.name}` : typeof actual == "object" && actual != null && actual.constructor?.name && (msg += ` Received an instance of ${actual.constructor.name}`), msg;
}
function invalidKeyType(alg, actual, secret) {
	const types = [
		"CryptoKey",
		"KeyObject",
		"JSON Web Key"
	];
	return secret && types.push("Uint8Array"), new TypeError(message(`Key for the ${alg} algorithm must be `, actual, ...types));
}
function checkUsage(key, usage) {
	if (usage && !key.usages.includes(usage)) throw new TypeError(`CryptoKey does not support this operation, its usages must include ${usage}.`);
}
function checkModulusLength(alg, key) {
	const { modulusLength } = key.algorithm;
	if (typeof modulusLength != "number" || modulusLength < 2048) throw new TypeError(`${alg} requires key modulusLength to be 2048 bits or larger`);
}
function checkCryptoKey$1(key, expected, usage) {
	const algorithm = key.algorithm;
	if (algorithm.name !== expected.name) throw unusable$2(expected.name);
	if (expected.hash && algorithm.hash?.name !== expected.hash) throw unusable$2(expected.hash, "algorithm.hash");
	if (expected.namedCurve && algorithm.namedCurve !== expected.namedCurve) throw unusable$2(expected.namedCurve, "algorithm.namedCurve");
	if (expected.length !== void 0 && algorithm.length !== expected.length) throw unusable$2(expected.length, "algorithm.length");
	checkUsage(key, usage);
}
function snapshotJwk(jwk) {
	return {
		__proto__: null,
		...jwk
	};
}
function normalizeJwk(jwk) {
	const normalized = snapshotJwk(jwk);
	if (normalized.ext !== void 0 && typeof normalized.ext != "boolean") throw new TypeError("\"ext\" (Extractable) Parameter must be a boolean");
	if (normalized.key_ops !== void 0) {
		const value = normalized.key_ops, keyOps = Array.isArray(value) ? [...value] : void 0;
		if (!keyOps || keyOps.some((operation) => typeof operation != "string") || new Set(keyOps).size !== keyOps.length) throw new TypeError("\"key_ops\" (Key Operations) Parameter must be an array of unique strings");
		normalized.key_ops = keyOps;
	}
	return normalized;
}
async function jwkToKey(entry, jwk, extractable) {
	if (!entry.kty.includes(jwk.kty)) throw new JOSENotSupported("Invalid or unsupported JWK \"alg\" (Algorithm) Parameter value");
	const algorithm = entry.resolve?.({
		kty: jwk.kty,
		crv: jwk.crv
	}) ?? entry.subtle, isPrivate = !!(jwk.d || jwk.priv), keyData = {
		...jwk,
		ext: extractable ?? jwk.ext
	};
	return keyData.kty !== "AKP" && delete keyData.alg, delete keyData.use, crypto.subtle.importKey("jwk", keyData, algorithm, keyData.ext ?? !isPrivate, jwk.key_ops ?? entry.usages[isPrivate ? 1 : 0]);
}
async function rawKey(key, expected, usage, extractable = !1) {
	return key instanceof Uint8Array && (key = await crypto.subtle.importKey("raw", key, expected, extractable, [usage])), checkCryptoKey$1(key, expected, usage), key;
}
var tag, jwkMatchesOp, cache, nist, isCryptoKey, isKeyObject, isKeyLike, invalidKeyInput, unusable$2;
var init_key = __esmMin((() => {
	init_validate();
	init_base64url();
	init_errors();
	tag = (key) => key[Symbol.toStringTag];
	jwkMatchesOp = (entry, key, usage) => {
		const { alg } = entry;
		if (key.use !== void 0) {
			const expected = usage === "sign" || usage === "verify" ? "sig" : "enc";
			if (key.use !== expected) throw new TypeError(`Invalid key for this operation, its "use" must be "${expected}" when present`);
		}
		if (key.alg !== void 0 && key.alg !== alg) throw new TypeError(`Invalid key for this operation, its "alg" must be "${alg}" when present`);
		if (Array.isArray(key.key_ops)) {
			const expectedKeyOp = usage === "encrypt" || usage === "decrypt" ? entry.ops?.[usage === "encrypt" ? 0 : 1] : usage;
			if (expectedKeyOp && !key.key_ops.includes(expectedKeyOp)) throw new TypeError(`Invalid key for this operation, its "key_ops" must include "${expectedKeyOp}" when present`);
		}
	};
	nist = {
		__proto__: null,
		prime256v1: "P-256",
		secp384r1: "P-384",
		secp521r1: "P-521"
	};
	isCryptoKey = (key) => {
		if (key?.[Symbol.toStringTag] === "CryptoKey") return !0;
		try {
			return key instanceof CryptoKey;
		} catch {
			return !1;
		}
	};
	isKeyObject = (key) => key?.[Symbol.toStringTag] === "KeyObject";
	isKeyLike = (key) => isCryptoKey(key) || isKeyObject(key);
	invalidKeyInput = (actual, ...types) => message("Key must be ", actual, ...types);
	unusable$2 = (name, prop = "algorithm.name") => new TypeError(`CryptoKey does not support this operation, its ${prop} must be ${name}`);
}));
function checkCekLength(cek, expected) {
	const actual = cek.byteLength << 3;
	if (actual !== expected) throw new JWEInvalid(`Invalid Content Encryption Key length. Expected ${expected} bits, got ${actual} bits`);
}
function checkIvLength(enc, iv) {
	if (iv.length << 3 !== enc.ivBits) throw new JWEInvalid("Invalid Initialization Vector length");
}
async function cbcKeySetup(enc, cek, usage) {
	if (!(cek instanceof Uint8Array)) throw new TypeError(invalidKeyInput(cek, "Uint8Array"));
	const keyLengthBits = enc.cekBits >> 1;
	return [
		await crypto.subtle.importKey("raw", cek.subarray(keyLengthBits >> 3), "AES-CBC", !1, [usage]),
		await crypto.subtle.importKey("raw", cek.subarray(0, keyLengthBits >> 3), {
			hash: `SHA-${keyLengthBits << 1}`,
			name: "HMAC"
		}, !1, ["sign"]),
		keyLengthBits
	];
}
async function cbcHmacTag(macKey, macData, keyLengthBits) {
	return new Uint8Array((await crypto.subtle.sign("HMAC", macKey, macData)).slice(0, keyLengthBits >> 3));
}
async function timingSafeEqual(a, b) {
	const algorithm = {
		name: "HMAC",
		hash: "SHA-256"
	}, key = await crypto.subtle.generateKey(algorithm, !1, ["sign", "verify"]), aHmac = await crypto.subtle.sign(algorithm, key, a);
	return crypto.subtle.verify(algorithm, key, aHmac, b);
}
async function cbcDecrypt(enc, cek, ciphertext, iv, tag, aad) {
	const [encKey, macKey, keyLengthBits] = await cbcKeySetup(enc, cek, "decrypt"), expectedTag = await cbcHmacTag(macKey, concat(aad, iv, ciphertext, uint64be(aad.length * 8)), keyLengthBits);
	try {
		if (await timingSafeEqual(tag, expectedTag)) return new Uint8Array(await crypto.subtle.decrypt({
			iv,
			name: "AES-CBC"
		}, encKey, ciphertext));
	} catch {}
	throw new JWEDecryptionFailed();
}
async function decrypt$1(enc, cek, ciphertext, iv, tag, aad) {
	if (!isCryptoKey(cek) && !(cek instanceof Uint8Array)) throw new TypeError(invalidKeyInput(cek, "CryptoKey", "KeyObject", "Uint8Array", "JSON Web Key"));
	if (!iv) throw new JWEInvalid("JWE Initialization Vector missing");
	if (!tag) throw new JWEInvalid("JWE Authentication Tag missing");
	if (!enc.cbc && tag.length !== 16) throw new JWEInvalid("Invalid Authentication Tag length");
	if (checkIvLength(enc, iv), cek instanceof Uint8Array && checkCekLength(cek, enc.cekBits), enc.cbc) return cbcDecrypt(enc, cek, ciphertext, iv, tag, aad);
	const encKey = await rawKey(cek, enc.subtle, "decrypt");
	try {
		return new Uint8Array(await crypto.subtle.decrypt({
			additionalData: aad,
			iv,
			name: "AES-GCM",
			tagLength: 128
		}, encKey, concat(ciphertext, tag)));
	} catch {
		throw new JWEDecryptionFailed();
	}
}
var generateCek;
var init_content_encryption = __esmMin((() => {
	init_buffer_utils();
	init_key();
	init_errors();
	generateCek = (enc) => crypto.getRandomValues(new Uint8Array(enc.cekBits >> 3));
}));
function table(entries) {
	const out = { __proto__: null };
	for (const alg in entries) out[alg] = {
		...entries[alg],
		alg
	};
	return out;
}
var init_key_descriptor = __esmMin((() => {}));
function rsaes(bits) {
	return {
		kty: ["RSA"],
		mode: "key-encryption",
		subtle: {
			name: "RSA-OAEP",
			hash: `SHA-${bits}`
		},
		usages: wrap,
		ops: ["wrapKey", "unwrapKey"]
	};
}
function ecdh(mode) {
	return {
		kty: ["EC", "OKP"],
		mode,
		subtle: { name: "ECDH" },
		resolve: ({ kty, crv, asymmetricKeyType }) => {
			if (crv === "X25519" || asymmetricKeyType === "x25519") return { name: "X25519" };
			if (kty === "OKP") throw new JOSENotSupported("Invalid or unsupported JWK \"alg\" (Algorithm) Parameter value");
			return {
				name: "ECDH",
				namedCurve: crv
			};
		},
		usages: derive,
		ops: [void 0, "deriveBits"]
	};
}
function aeskw(bits, gcm = !1) {
	return {
		kty: ["oct"],
		mode: "key-wrapping",
		secret: !0,
		subtle: {
			name: gcm ? "AES-GCM" : "AES-KW",
			length: bits
		},
		usages: none,
		ops: gcm ? ["encrypt", "decrypt"] : ["wrapKey", "unwrapKey"]
	};
}
function pbes2() {
	return {
		kty: ["oct"],
		mode: "key-wrapping",
		secret: !0,
		subtle: { name: "PBKDF2" },
		usages: none,
		ops: ["deriveBits", "deriveBits"]
	};
}
function contentEncryption(bits, cbc = !1) {
	return {
		kty: ["oct"],
		secret: !0,
		subtle: {
			name: cbc ? "AES-CBC" : "AES-GCM",
			length: bits
		},
		usages: none,
		ops: contentOps,
		cekBits: bits,
		ivBits: cbc ? 128 : 96,
		cbc
	};
}
function unsupported(parameter, name) {
	throw new JOSENotSupported(`Invalid or unsupported "${parameter}" (JWE ${name}) header value`);
}
function jweAlgorithm(alg) {
	return (typeof alg == "string" ? JWE[alg] : void 0) ?? unsupported("alg", "Algorithm");
}
function isJWECEKTransport(algorithm) {
	return algorithm.mode === "key-wrapping" || algorithm.mode === "key-encryption" || algorithm.mode === "key-agreement-with-key-wrapping";
}
function jweEncryption(enc) {
	return (typeof enc == "string" ? ENC[enc] : void 0) ?? unsupported("enc", "Encryption Algorithm");
}
var wrap, derive, none, JWE, contentOps, ENC;
var init_jwe_algorithms = __esmMin((() => {
	init_errors();
	init_key_descriptor();
	wrap = [["encrypt", "wrapKey"], ["decrypt", "unwrapKey"]];
	derive = [[], ["deriveBits"]];
	none = [[], []];
	JWE = table({
		dir: {
			kty: ["oct"],
			mode: "direct-encryption",
			secret: !0,
			subtle: { name: "AES-GCM" },
			usages: none,
			ops: ["encrypt", "decrypt"]
		},
		"RSA-OAEP": rsaes(1),
		"RSA-OAEP-256": rsaes(256),
		"RSA-OAEP-384": rsaes(384),
		"RSA-OAEP-512": rsaes(512),
		"ECDH-ES": ecdh("direct-key-agreement"),
		"ECDH-ES+A128KW": ecdh("key-agreement-with-key-wrapping"),
		"ECDH-ES+A192KW": ecdh("key-agreement-with-key-wrapping"),
		"ECDH-ES+A256KW": ecdh("key-agreement-with-key-wrapping"),
		A128KW: aeskw(128),
		A192KW: aeskw(192),
		A256KW: aeskw(256),
		A128GCMKW: aeskw(128, !0),
		A192GCMKW: aeskw(192, !0),
		A256GCMKW: aeskw(256, !0),
		"PBES2-HS256+A128KW": pbes2(),
		"PBES2-HS384+A192KW": pbes2(),
		"PBES2-HS512+A256KW": pbes2()
	});
	contentOps = ["encrypt", "decrypt"];
	ENC = table({
		A128GCM: contentEncryption(128),
		A192GCM: contentEncryption(192),
		A256GCM: contentEncryption(256),
		"A128CBC-HS256": contentEncryption(256, !0),
		"A192CBC-HS384": contentEncryption(384, !0),
		"A256CBC-HS512": contentEncryption(512, !0)
	});
}));
function checkEcdhCryptoKey(key, usage) {
	if (key.algorithm.name !== "ECDH" && key.algorithm.name !== "X25519") throw new TypeError("CryptoKey does not support this operation, its algorithm.name must be ECDH or X25519");
	checkUsage(key, usage);
}
async function aeskwUnwrap(alg, key, encryptedKey) {
	const cryptoKey = await rawKey(key, jweAlgorithm(alg).subtle, "unwrapKey", !0), cryptoKeyCek = await crypto.subtle.unwrapKey("raw", encryptedKey, cryptoKey, "AES-KW", {
		hash: "SHA-256",
		name: "HMAC"
	}, !0, ["sign"]);
	return new Uint8Array(await crypto.subtle.exportKey("raw", cryptoKeyCek));
}
function checkRsaKey(alg, key, usage) {
	checkCryptoKey$1(key, jweAlgorithm(alg).subtle, usage), checkModulusLength(alg, key);
}
async function deriveKey(p2s, alg, p2c, key) {
	if (!(p2s instanceof Uint8Array) || p2s.length < 8) throw new JWEInvalid("PBES2 Salt Input must be 8 or more octets");
	if (!Number.isSafeInteger(p2c) || Math.sign(p2c) !== 1) throw new JWEInvalid("PBES2 Count Input must be a positive integer");
	const salt = concat(encode(alg), Uint8Array.of(0), p2s), keyLengthBits = parseInt(alg.slice(13, 16), 10), subtleAlg = {
		hash: `SHA-${alg.slice(8, 11)}`,
		iterations: p2c,
		name: "PBKDF2",
		salt
	}, cryptoKey = await rawKey(key, jweAlgorithm(alg).subtle, "deriveBits");
	return new Uint8Array(await crypto.subtle.deriveBits(subtleAlg, cryptoKey, keyLengthBits));
}
function lengthAndInput(input) {
	return concat(uint32be(input.length), input);
}
async function concatKdf(Z, keyDataLength, OtherInfo) {
	const dkLen = keyDataLength >> 3, hashLen = 32, reps = Math.ceil(dkLen / hashLen), dk = new Uint8Array(reps * hashLen);
	for (let i = 1; i <= reps; i++) {
		const hashResult = await digest("sha256", concat(uint32be(i), Z, OtherInfo));
		dk.set(hashResult, (i - 1) * hashLen);
	}
	return dk.slice(0, dkLen);
}
async function ecdhesDeriveKey(publicKey, privateKey, algorithmId, keyDataLength, apu = new Uint8Array(), apv = new Uint8Array()) {
	checkEcdhCryptoKey(publicKey), checkEcdhCryptoKey(privateKey, "deriveBits");
	const otherInfo = concat(lengthAndInput(encode(algorithmId)), lengthAndInput(apu), lengthAndInput(apv), uint32be(keyDataLength));
	return concatKdf(new Uint8Array(await crypto.subtle.deriveBits({
		name: publicKey.algorithm.name,
		public: publicKey
	}, privateKey, publicKey.algorithm.name === "X25519" ? 256 : Math.ceil(parseInt(publicKey.algorithm.namedCurve.slice(-3), 10) / 8) << 3)), keyDataLength, otherInfo);
}
function assertEcdhKey(key) {
	assertCryptoKey(key);
	const curve = key.algorithm.namedCurve;
	if (curve !== "P-256" && curve !== "P-384" && curve !== "P-521" && key.algorithm.name !== "X25519") throw new JOSENotSupported("ECDH with the provided key is not allowed or not supported by your javascript runtime");
}
function partyInfo(joseHeader, name) {
	const value = joseHeader[name];
	if (value !== void 0) {
		if (typeof value != "string") throw new JWEInvalid(`JOSE Header "${name}" (Agreement Party${name === "apu" ? "U" : "V"}Info) invalid`);
		return decodeBase64url(value, name, JWEInvalid);
	}
}
function checkPartyInfo(apu, apv) {
	if (!(apu === void 0 || apv === void 0 || apu.byteLength !== apv.byteLength)) {
		for (let i = 0; i < apu.byteLength; i++) if (apu[i] !== apv[i]) return;
		throw new JWEInvalid("JOSE Header \"apu\" and \"apv\" values must be distinct");
	}
}
function assertEncryptedKey(encryptedKey) {
	if (encryptedKey === void 0) throw new JWEInvalid("JWE Encrypted Key missing");
}
function assertNoEncryptedKey(encryptedKey) {
	if (encryptedKey !== void 0) throw new JWEInvalid("Encountered unexpected JWE Encrypted Key");
}
function validateMaxPBES2Count(value) {
	if (value !== void 0 && value !== 1 / 0 && (!Number.isSafeInteger(value) || value < 1)) throw new TypeError("maxPBES2Count must be a positive safe integer or Infinity");
}
async function decryptKeyManagement(entry, enc, key, encryptedKey, joseHeader, maxPBES2Count) {
	const { alg } = entry, mode = entry.mode;
	if (mode === "direct-encryption") return assertNoEncryptedKey(encryptedKey), key;
	const direct = mode === "direct-key-agreement";
	switch (direct ? assertNoEncryptedKey(encryptedKey) : assertEncryptedKey(encryptedKey), entry.subtle.name) {
		case "ECDH": {
			const { epk } = joseHeader;
			if (!isObject(epk) || [
				"d",
				"k",
				"p",
				"q",
				"dp",
				"dq",
				"qi",
				"oth",
				"priv"
			].some((parameter) => Object.hasOwn(epk, parameter))) throw new JWEInvalid("JOSE Header \"epk\" (Ephemeral Public Key) missing or invalid");
			assertEcdhKey(key);
			const ephemeralPublicKey = await jwkToKey(entry, epk), partyUInfo = partyInfo(joseHeader, "apu"), partyVInfo = partyInfo(joseHeader, "apv");
			checkPartyInfo(partyUInfo, partyVInfo);
			const derivedKey = await ecdhesDeriveKey(ephemeralPublicKey, key, direct ? enc.alg : alg, direct ? enc.cekBits : parseInt(alg.slice(-5, -2), 10), partyUInfo, partyVInfo);
			if (direct) return derivedKey;
			key = derivedKey;
			break;
		}
		case "RSA-OAEP": return assertCryptoKey(key), checkRsaKey(alg, key, "decrypt"), new Uint8Array(await crypto.subtle.decrypt("RSA-OAEP", key, encryptedKey));
		case "PBKDF2": {
			if (typeof joseHeader.p2c != "number") throw new JWEInvalid("JOSE Header \"p2c\" (PBES2 Count) missing or invalid");
			const p2cLimit = maxPBES2Count ?? 1e4;
			if (joseHeader.p2c > p2cLimit) throw new JWEInvalid("JOSE Header \"p2c\" (PBES2 Count) out is of acceptable bounds");
			if (typeof joseHeader.p2s != "string") throw new JWEInvalid("JOSE Header \"p2s\" (PBES2 Salt) missing or invalid");
			key = await deriveKey(decodeBase64url(joseHeader.p2s, "p2s", JWEInvalid), alg, joseHeader.p2c, key);
			break;
		}
		case "AES-GCM": {
			if (typeof joseHeader.iv != "string") throw new JWEInvalid("JOSE Header \"iv\" (Initialization Vector) missing or invalid");
			if (typeof joseHeader.tag != "string") throw new JWEInvalid("JOSE Header \"tag\" (Authentication Tag) missing or invalid");
			const iv = decodeBase64url(joseHeader.iv, "iv", JWEInvalid), tag = decodeBase64url(joseHeader.tag, "tag", JWEInvalid);
			if (iv.byteLength !== 12) throw new JWEInvalid("Invalid Initialization Vector length");
			if (tag.byteLength !== 16) throw new JWEInvalid("Invalid Authentication Tag length");
			return decrypt$1(jweEncryption(alg.slice(0, -2)), key, encryptedKey, iv, tag, new Uint8Array());
		}
	}
	return aeskwUnwrap(alg.slice(-6), key, encryptedKey);
}
var init_key_management = __esmMin((() => {
	init_key();
	init_jwe_algorithms();
	init_errors();
	init_validate();
	init_buffer_utils();
	init_content_encryption();
}));
function validateZip(joseHeader, protectedHeader) {
	if (joseHeader.zip !== void 0 && joseHeader.zip !== "DEF") throw new JOSENotSupported("Unsupported JWE \"zip\" (Compression Algorithm) Header Parameter value.");
	if (joseHeader.zip !== void 0 && !protectedHeader?.zip) throw new JWEInvalid("JWE \"zip\" (Compression Algorithm) Header Parameter MUST be in a protected header.");
}
function supported(name) {
	if (typeof globalThis[name] > "u") throw new JOSENotSupported(`JWE "zip" (Compression Algorithm) Header Parameter requires the ${name} API.`);
}
async function transform(stream, input, maxLength = 1 / 0) {
	const writer = stream.writable.getWriter();
	writer.write(input).catch(() => {}), writer.close().catch(() => {});
	const chunks = [];
	let length = 0;
	const reader = stream.readable.getReader();
	for (;;) {
		const { value, done } = await reader.read();
		if (done) break;
		if (chunks.push(value), length += value.byteLength, maxLength !== 1 / 0 && length > maxLength) throw await reader.cancel().catch(() => {}), new JWEInvalid("Decompressed plaintext exceeded the configured limit");
	}
	return concat(...chunks);
}
async function decompress(input, maxLength) {
	return supported("DecompressionStream"), transform(new DecompressionStream("deflate-raw"), input, maxLength);
}
var init_deflate = __esmMin((() => {
	init_errors();
	init_buffer_utils();
}));
function shareJWE(jwe) {
	const { protected: encodedProtected, ciphertext, iv, tag, aad } = jwe;
	let protectedHeader;
	return encodedProtected !== void 0 && (protectedHeader = parseJoseHeader(encodedProtected, JWEInvalid, "JWE Protected Header is invalid")), [
		protectedHeader,
		decodeBase64url(ciphertext, "ciphertext", JWEInvalid),
		iv !== void 0 ? decodeBase64url(iv, "iv", JWEInvalid) : void 0,
		tag !== void 0 ? decodeBase64url(tag, "tag", JWEInvalid) : void 0,
		encodeAsciiMember((encodedProtected ?? "") + (aad !== void 0 ? `.${aad}` : ""), "aad", JWEInvalid)
	];
}
function prepareDecrypt(options) {
	const keyManagementAlgorithms = options && validateAlgorithms("keyManagementAlgorithms", options.keyManagementAlgorithms), contentEncryptionAlgorithms = options && validateAlgorithms("contentEncryptionAlgorithms", options.contentEncryptionAlgorithms), { crit, maxPBES2Count, maxDecompressedLength } = options ?? {};
	validateMaxPBES2Count(maxPBES2Count);
	const decompressionLimit = maxDecompressedLength ?? 25e4;
	if (decompressionLimit !== 0 && decompressionLimit !== 1 / 0 && (!Number.isSafeInteger(decompressionLimit) || decompressionLimit < 1)) throw new TypeError("maxDecompressedLength must be 0, a positive safe integer, or Infinity");
	return [
		keyManagementAlgorithms,
		contentEncryptionAlgorithms,
		crit,
		maxPBES2Count,
		maxDecompressedLength
	];
}
async function decryptJWE(jwe, shared, key, token = shareJWE(jwe)) {
	const [protectedHeader, ciphertext, iv, tag, additionalAuthenticatedData] = token, { header, unprotected, aad } = jwe;
	let joseHeader;
	if (header !== void 0 || unprotected !== void 0) {
		if (!isDisjoint(protectedHeader, header, unprotected)) throw new JWEInvalid("JWE Protected, JWE Unprotected Header, and JWE Per-Recipient Unprotected Header Parameter names must be disjoint");
		joseHeader = {
			...protectedHeader,
			...header,
			...unprotected
		};
	} else joseHeader = protectedHeader ?? {};
	const [keyManagementAlgorithms, contentEncryptionAlgorithms, crit, maxPBES2Count, maxDecompressedLength] = shared, { encrypted_key: encodedKey } = jwe;
	validateCrit(JWEInvalid, JWE_RECOGNIZED, crit, protectedHeader, joseHeader), validateZip(joseHeader, protectedHeader);
	const { alg, enc } = joseHeader;
	if (typeof alg != "string" || !alg) throw new JWEInvalid("missing JWE Algorithm (alg) in JWE Header");
	const selected = JWE[alg];
	if (encodedKey === "" && (!selected || !isJWECEKTransport(selected))) throw new JWEInvalid("JWE Encrypted Key incorrect type");
	const integrated = selected?.mode === "integrated-encryption";
	if (!integrated && (typeof enc != "string" || !enc)) throw new JWEInvalid("missing JWE Encryption Algorithm (enc) in JWE Header");
	if (keyManagementAlgorithms && !keyManagementAlgorithms.has(alg) || !keyManagementAlgorithms && alg.startsWith("PBES2")) throw new JOSEAlgNotAllowed("\"alg\" (Algorithm) Header Parameter value not allowed");
	let encEntry;
	if (integrated) {
		if (enc !== void 0) throw new JWEInvalid("JWE \"enc\" (Encryption Algorithm) Header Parameter must not be present for integrated encryption");
		if (iv?.byteLength) throw new JWEInvalid("JWE Initialization Vector must be empty for integrated encryption");
		if (tag?.byteLength) throw new JWEInvalid("JWE Authentication Tag must be empty for integrated encryption");
	} else {
		if (contentEncryptionAlgorithms && !contentEncryptionAlgorithms.has(enc)) throw new JOSEAlgNotAllowed("\"enc\" (Encryption Algorithm) Header Parameter value not allowed");
		encEntry = jweEncryption(enc);
	}
	let encryptedKey;
	if (encodedKey !== void 0) try {
		encryptedKey = decodeBase64url(encodedKey, "encrypted_key", JWEInvalid);
	} catch (error) {
		if (!selected || !isJWECEKTransport(selected)) throw error;
		encryptedKey = new Uint8Array();
	}
	let resolvedKey = !1;
	typeof key == "function" && (key = await key(protectedHeader, jwe), resolvedKey = !0);
	const algEntry = selected ?? jweAlgorithm(alg);
	isJWECEKTransport(algEntry) && encryptedKey === void 0 && (encryptedKey = new Uint8Array());
	const k = await prepareKey(algEntry.mode === "direct-encryption" ? encEntry : algEntry, key, "decrypt");
	let plaintext;
	if (algEntry.mode === "integrated-encryption") plaintext = await algEntry.decrypt(k, encryptedKey, ciphertext, additionalAuthenticatedData, protectedHeader, joseHeader);
	else {
		const encryption = encEntry;
		let cek;
		try {
			cek = await decryptKeyManagement(algEntry, encryption, k, encryptedKey, joseHeader, maxPBES2Count), isJWECEKTransport(algEntry) && cek instanceof Uint8Array && cek.byteLength << 3 !== encryption.cekBits && (cek = generateCek(encryption));
		} catch (err) {
			if (err instanceof TypeError || err instanceof JWEInvalid || err instanceof JOSENotSupported) throw err;
			cek = generateCek(encryption);
		}
		plaintext = await decrypt$1(encryption, cek, ciphertext, iv, tag, additionalAuthenticatedData);
	}
	if (joseHeader.zip === "DEF") {
		const decompressionLimit = maxDecompressedLength ?? 25e4;
		if (decompressionLimit === 0) throw new JOSENotSupported("JWE \"zip\" (Compression Algorithm) Header Parameter is not supported.");
		plaintext = await decompress(plaintext, decompressionLimit).catch((cause) => {
			throw cause instanceof JWEInvalid ? cause : new JWEInvalid("Failed to decompress plaintext", { cause });
		});
	}
	return {
		plaintext,
		...protectedHeader && { protectedHeader },
		...aad !== void 0 && { additionalAuthenticatedData: decodeBase64url(aad, "aad", JWEInvalid) },
		...unprotected && { sharedUnprotectedHeader: unprotected },
		...header && { unprotectedHeader: header },
		...resolvedKey && { key: k }
	};
}
async function decryptCompact(jwe, shared, key) {
	if (jwe instanceof Uint8Array && (jwe = decoder$1.decode(jwe)), typeof jwe != "string") throw new JWEInvalid("Compact JWE must be a string or Uint8Array");
	const { 0: protectedHeader, 1: encryptedKey, 2: iv, 3: ciphertext, 4: tag, length } = jwe.split(".");
	if (length !== 5) throw new JWEInvalid("Invalid Compact JWE");
	return decryptJWE({
		ciphertext,
		iv: iv || void 0,
		protected: protectedHeader,
		tag: tag || void 0,
		encrypted_key: encryptedKey || void 0
	}, shared, key);
}
var init_jwe_decrypt = __esmMin((() => {
	init_content_encryption();
	init_validate();
	init_errors();
	init_key_management();
	init_buffer_utils();
	init_key();
	init_jwe_algorithms();
	init_deflate();
}));
async function compactDecrypt(jwe, key, options) {
	return decryptCompact(jwe, prepareDecrypt(options), key);
}
var init_decrypt = __esmMin((() => {
	init_jwe_decrypt();
}));
var build_exports = __exportAll({
	AuthorizationResponseError: () => AuthorizationResponseError,
	ClientError: () => ClientError,
	ClientSecretBasic: () => ClientSecretBasic,
	ClientSecretJwt: () => ClientSecretJwt,
	ClientSecretPost: () => ClientSecretPost,
	Configuration: () => Configuration,
	None: () => None,
	PrivateKeyJwt: () => PrivateKeyJwt,
	ResponseBodyError: () => ResponseBodyError,
	TlsClientAuth: () => TlsClientAuth,
	WWWAuthenticateChallengeError: () => WWWAuthenticateChallengeError,
	allowInsecureRequests: () => allowInsecureRequests,
	authorizationCodeGrant: () => authorizationCodeGrant,
	buildAuthorizationUrl: () => buildAuthorizationUrl,
	buildAuthorizationUrlWithJAR: () => buildAuthorizationUrlWithJAR,
	buildAuthorizationUrlWithPAR: () => buildAuthorizationUrlWithPAR,
	buildEndSessionUrl: () => buildEndSessionUrl,
	calculatePKCECodeChallenge: () => calculatePKCECodeChallenge,
	clientCredentialsGrant: () => clientCredentialsGrant,
	clockSkew: () => clockSkew,
	clockTolerance: () => clockTolerance,
	customFetch: () => customFetch,
	discovery: () => discovery,
	dynamicClientRegistration: () => dynamicClientRegistration,
	enableDecryptingResponses: () => enableDecryptingResponses,
	enableDetachedSignatureResponseChecks: () => enableDetachedSignatureResponseChecks,
	enableNonRepudiationChecks: () => enableNonRepudiationChecks,
	fetchProtectedResource: () => fetchProtectedResource,
	fetchUserInfo: () => fetchUserInfo,
	genericGrantRequest: () => genericGrantRequest,
	getDPoPHandle: () => getDPoPHandle,
	getJwksCache: () => getJwksCache,
	implicitAuthentication: () => implicitAuthentication,
	initiateBackchannelAuthentication: () => initiateBackchannelAuthentication,
	initiateDeviceAuthorization: () => initiateDeviceAuthorization,
	modifyAssertion: () => modifyAssertion,
	pollBackchannelAuthenticationGrant: () => pollBackchannelAuthenticationGrant,
	pollDeviceAuthorizationGrant: () => pollDeviceAuthorizationGrant,
	randomDPoPKeyPair: () => randomDPoPKeyPair,
	randomNonce: () => randomNonce,
	randomPKCECodeVerifier: () => randomPKCECodeVerifier,
	randomState: () => randomState,
	refreshTokenGrant: () => refreshTokenGrant,
	setJwksCache: () => setJwksCache,
	skipStateCheck: () => skipStateCheck,
	skipSubjectCheck: () => skipSubjectCheck,
	tokenIntrospection: () => tokenIntrospection,
	tokenRevocation: () => tokenRevocation,
	useCodeIdTokenResponseType: () => useCodeIdTokenResponseType,
	useIdTokenResponseType: () => useIdTokenResponseType,
	useJwtResponseMode: () => useJwtResponseMode
});
function ClientSecretPost(clientSecret) {
	if (clientSecret !== void 0) return ClientSecretPost$1(clientSecret);
	const cache = new WeakMap();
	return (as, client, body, headers) => {
		let auth;
		if (!(auth = cache.get(client))) {
			assertString(client.client_secret, "\"metadata.client_secret\"");
			auth = ClientSecretPost$1(client.client_secret);
			cache.set(client, auth);
		}
		return auth(as, client, body, headers);
	};
}
function assertString(input, it) {
	if (typeof input !== "string") throw CodedTypeError(`${it} must be a string`, ERR_INVALID_ARG_TYPE);
	if (input.length === 0) throw CodedTypeError(`${it} must not be empty`, ERR_INVALID_ARG_VALUE);
}
function ClientSecretBasic(clientSecret) {
	if (clientSecret !== void 0) return ClientSecretBasic$1(clientSecret);
	const cache = new WeakMap();
	return (as, client, body, headers) => {
		let auth;
		if (!(auth = cache.get(client))) {
			assertString(client.client_secret, "\"metadata.client_secret\"");
			auth = ClientSecretBasic$1(client.client_secret);
			cache.set(client, auth);
		}
		return auth(as, client, body, headers);
	};
}
function ClientSecretJwt(clientSecret, options) {
	if (clientSecret !== void 0) return ClientSecretJwt$1(clientSecret, options);
	const cache = new WeakMap();
	return (as, client, body, headers) => {
		let auth;
		if (!(auth = cache.get(client))) {
			assertString(client.client_secret, "\"metadata.client_secret\"");
			auth = ClientSecretJwt$1(client.client_secret, options);
			cache.set(client, auth);
		}
		return auth(as, client, body, headers);
	};
}
function None() {
	return None$1();
}
function PrivateKeyJwt(clientPrivateKey, options) {
	return PrivateKeyJwt$1(clientPrivateKey, options);
}
function TlsClientAuth() {
	return TlsClientAuth$1();
}
function CodedTypeError(message, code, cause) {
	const err = new TypeError(message, { cause });
	Object.assign(err, { code });
	return err;
}
function calculatePKCECodeChallenge(codeVerifier) {
	return calculatePKCECodeChallenge$1(codeVerifier);
}
function randomPKCECodeVerifier() {
	return generateRandomCodeVerifier();
}
function randomNonce() {
	return generateRandomNonce();
}
function randomState() {
	return generateRandomState();
}
function e(msg, cause, code) {
	return new ClientError(msg, {
		cause,
		code
	});
}
function errorHandler(err) {
	if (err instanceof TypeError || err instanceof ClientError || err instanceof ResponseBodyError || err instanceof AuthorizationResponseError || err instanceof WWWAuthenticateChallengeError) throw err;
	if (err instanceof OperationProcessingError) switch (err.code) {
		case HTTP_REQUEST_FORBIDDEN: throw e("only requests to HTTPS are allowed", err, err.code);
		case REQUEST_PROTOCOL_FORBIDDEN: throw e("only requests to HTTP or HTTPS are allowed", err, err.code);
		case RESPONSE_IS_NOT_CONFORM: throw e("unexpected HTTP response status code", err.cause, err.code);
		case RESPONSE_IS_NOT_JSON: throw e("unexpected response content-type", err.cause, err.code);
		case PARSE_ERROR: throw e("parsing error occured", err, err.code);
		case INVALID_RESPONSE: throw e("invalid response encountered", err, err.code);
		case JWT_CLAIM_COMPARISON: throw e("unexpected JWT claim value encountered", err, err.code);
		case JSON_ATTRIBUTE_COMPARISON: throw e("unexpected JSON attribute value encountered", err, err.code);
		case JWT_TIMESTAMP_CHECK: throw e("JWT timestamp claim value failed validation", err, err.code);
		default: throw e(err.message, err, err.code);
	}
	if (err instanceof UnsupportedOperationError) throw e("unsupported operation", err, err.code);
	if (err instanceof DOMException) switch (err.name) {
		case "OperationError": throw e("runtime operation error", err, UNSUPPORTED_OPERATION);
		case "NotSupportedError": throw e("runtime unsupported operation", err, UNSUPPORTED_OPERATION);
		case "TimeoutError": throw e("operation timed out", err, "OAUTH_TIMEOUT");
		case "AbortError": throw e("operation aborted", err, "OAUTH_ABORT");
	}
	throw new ClientError("something went wrong", { cause: err });
}
function randomDPoPKeyPair(alg, options) {
	return generateKeyPair(alg ?? "ES256", { extractable: options?.extractable }).catch(errorHandler);
}
function handleEntraId(server, as, options) {
	if (server.origin === "https://login.microsoftonline.com" && (!options?.algorithm || options.algorithm === "oidc")) {
		as[kEntraId] = true;
		return true;
	}
	return false;
}
function handleB2Clogin(server, options) {
	if (server.hostname.endsWith(".b2clogin.com") && (!options?.algorithm || options.algorithm === "oidc")) return true;
	return false;
}
async function dynamicClientRegistration(server, metadata, clientAuthentication, options) {
	let as;
	if (options?.flag === retry) as = options.as;
	else as = await performDiscovery(server, options);
	const clockSkew = metadata[clockSkew$1] ?? 0;
	const clockTolerance = metadata[clockTolerance$1] ?? 30;
	metadata = structuredClone(metadata);
	metadata[clockSkew$1] = clockSkew;
	metadata[clockTolerance$1] = clockTolerance;
	const timeout = options?.timeout ?? 30;
	const signal = AbortSignal.timeout(timeout * 1e3);
	let registered;
	try {
		registered = await dynamicClientRegistrationRequest(as, metadata, {
			initialAccessToken: options?.initialAccessToken,
			DPoP: options?.DPoP,
			headers: new Headers(headers),
			[customFetch$1]: options?.[customFetch],
			[allowInsecureRequests$1]: options?.execute?.includes(allowInsecureRequests),
			signal
		}).then(processDynamicClientRegistrationResponse);
	} catch (err) {
		if (retryable(err, options)) return dynamicClientRegistration(server, metadata, clientAuthentication, {
			...options,
			flag: retry,
			as
		});
		errorHandler(err);
	}
	registered[clockSkew$1] = clockSkew;
	registered[clockTolerance$1] = clockTolerance;
	const instance = new Configuration(as, registered.client_id, registered, clientAuthentication);
	let internals = int(instance);
	if (options?.[customFetch]) internals.fetch = options[customFetch];
	if (options?.timeout !== void 0) internals.timeout = options.timeout;
	if (options?.execute) for (const extension of options.execute) extension(instance);
	return instance;
}
async function discovery(server, clientId, metadata, clientAuthentication, options) {
	const as = await performDiscovery(server, options);
	const instance = new Configuration(as, clientId, metadata, clientAuthentication);
	let internals = int(instance);
	if (options?.[customFetch]) internals.fetch = options[customFetch];
	if (options?.timeout !== void 0) internals.timeout = options.timeout;
	if (options?.execute) for (const extension of options.execute) extension(instance);
	return instance;
}
async function performDiscovery(server, options) {
	if (!(server instanceof URL)) throw CodedTypeError("\"server\" must be an instance of URL", ERR_INVALID_ARG_TYPE);
	const resolve = !server.href.includes("/.well-known/");
	const timeout = options?.timeout ?? 30;
	const signal = AbortSignal.timeout(timeout * 1e3);
	const as = await (resolve ? discoveryRequest(server, {
		algorithm: options?.algorithm,
		[customFetch$1]: options?.[customFetch],
		[allowInsecureRequests$1]: options?.execute?.includes(allowInsecureRequests),
		signal,
		headers: new Headers(headers)
	}) : (options?.[customFetch] || fetch)((() => {
		checkProtocol(server, options?.execute?.includes(allowInsecureRequests) ? false : true);
		return server.href;
	})(), {
		headers: Object.fromEntries(new Headers({
			accept: "application/json",
			...headers
		}).entries()),
		body: void 0,
		method: "GET",
		redirect: "manual",
		signal
	})).then((response) => processDiscoveryResponse(_nodiscoverycheck, response)).catch(errorHandler);
	if (resolve && new URL(as.issuer).href !== server.href) handleEntraId(server, as, options) || handleB2Clogin(server, options) || (() => {
		throw new ClientError("discovered metadata issuer does not match the expected issuer", {
			code: "OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED",
			cause: {
				expected: server.href,
				body: as,
				attribute: "issuer"
			}
		});
	})();
	return as;
}
function isRsaOaep(input) {
	return input.name === "RSA-OAEP";
}
function isEcdh(input) {
	return input.name === "ECDH";
}
function checkEcdhAlg(algs, alg, pk) {
	switch (alg) {
		case void 0:
			algs.add(ecdhEs);
			algs.add(ecdhEsA128Kw);
			algs.add(ecdhEsA192Kw);
			algs.add(ecdhEsA256Kw);
			break;
		case ecdhEs:
		case ecdhEsA128Kw:
		case ecdhEsA192Kw:
		case ecdhEsA256Kw:
			algs.add(alg);
			break;
		default: throw CodedTypeError("invalid key alg", ERR_INVALID_ARG_VALUE, { pk });
	}
}
function enableDecryptingResponses(config, contentEncryptionAlgorithms = [
	"A128GCM",
	"A192GCM",
	"A256GCM",
	"A128CBC-HS256",
	"A192CBC-HS384",
	"A256CBC-HS512"
], ...keys) {
	if (int(config).decrypt !== void 0) throw new TypeError("enableDecryptingResponses can only be called on a given Configuration instance once");
	if (keys.length === 0) throw CodedTypeError("no keys were provided", ERR_INVALID_ARG_VALUE);
	const algs = new Set();
	const normalized = [];
	for (const pk of keys) {
		let key;
		if ("key" in pk) {
			key = { key: pk.key };
			if (typeof pk.alg === "string") key.alg = pk.alg;
			if (typeof pk.kid === "string") key.kid = pk.kid;
		} else key = { key: pk };
		if (key.key.type !== "private") throw CodedTypeError("only private keys must be provided", ERR_INVALID_ARG_VALUE);
		if (isRsaOaep(key.key.algorithm)) switch (key.key.algorithm.hash.name) {
			case "SHA-1":
			case "SHA-256":
			case "SHA-384":
			case "SHA-512": {
				let alg = "RSA-OAEP";
				let sha;
				if (sha = parseInt(key.key.algorithm.hash.name.slice(-3), 10)) alg = `${alg}-${sha}`;
				key.alg ||= alg;
				if (alg !== key.alg) throw CodedTypeError("invalid key alg", ERR_INVALID_ARG_VALUE, { pk });
				algs.add(key.alg);
				break;
			}
			default: throw CodedTypeError("only SHA-512, SHA-384, SHA-256, and SHA-1 RSA-OAEP keys are supported", ERR_INVALID_ARG_VALUE);
		}
		else if (isEcdh(key.key.algorithm)) {
			if (key.key.algorithm.namedCurve !== "P-256") throw CodedTypeError("Only P-256 ECDH keys are supported", ERR_INVALID_ARG_VALUE);
			checkEcdhAlg(algs, key.alg, pk);
		} else if (key.key.algorithm.name === "X25519") checkEcdhAlg(algs, key.alg, pk);
		else throw CodedTypeError("only RSA-OAEP, ECDH, or X25519 keys are supported", ERR_INVALID_ARG_VALUE);
		normalized.push(key);
	}
	int(config).decrypt = async (jwe) => decrypt(normalized, jwe, contentEncryptionAlgorithms, [...algs]).catch(errorHandler);
}
function checkCryptoKey(key, alg, epk) {
	if (alg.startsWith("RSA-OAEP")) return key.algorithm.name === "RSA-OAEP";
	if (alg.startsWith("ECDH-ES")) {
		if (key.algorithm.name !== "ECDH" && key.algorithm.name !== "X25519") return false;
		if (key.algorithm.name === "ECDH") return epk?.crv === key.algorithm.namedCurve;
		if (key.algorithm.name === "X25519") return epk?.crv === "X25519";
	}
	return false;
}
function selectCryptoKeyForDecryption(keys, alg, kid, epk) {
	const { 0: key, length } = keys.filter((key) => {
		if (kid !== void 0 && kid !== key.kid) return false;
		if (key.alg && alg !== key.alg) return false;
		return checkCryptoKey(key.key, alg, epk);
	});
	if (!key) throw e("no applicable decryption key selected", void 0, "OAUTH_DECRYPTION_FAILED");
	if (length !== 1) throw e("multiple applicable decryption keys selected", void 0, "OAUTH_DECRYPTION_FAILED");
	return key.key;
}
async function decrypt(keys, jwe, contentEncryptionAlgorithms, keyManagementAlgorithms) {
	return decoder.decode((await compactDecrypt(jwe, (header) => {
		const { kid, alg, epk } = header;
		return selectCryptoKeyForDecryption(keys, alg, kid, epk);
	}, {
		keyManagementAlgorithms,
		contentEncryptionAlgorithms
	}).catch((err) => {
		if (err instanceof JOSEError) throw e("decryption failed", err, "OAUTH_DECRYPTION_FAILED");
		errorHandler(err);
	})).plaintext);
}
function getServerHelpers(metadata) {
	return { supportsPKCE: {
		__proto__: null,
		value(method = "S256") {
			return metadata.code_challenge_methods_supported?.includes(method) === true;
		}
	} };
}
function addServerHelpers(metadata) {
	Object.defineProperties(metadata, getServerHelpers(metadata));
}
function getHelpers(response) {
	let exp = void 0;
	if (response.expires_in !== void 0) exp = Date.now() + response.expires_in * 1e3;
	return {
		expiresIn: {
			__proto__: null,
			value() {
				if (exp) {
					const now = Date.now();
					if (exp > now) return Math.floor((exp - now) / 1e3);
					return 0;
				}
			}
		},
		claims: {
			__proto__: null,
			value() {
				return getValidatedIdTokenClaims(response);
			}
		}
	};
}
function addHelpers(response) {
	Object.defineProperties(response, getHelpers(response));
}
function getDPoPHandle(config, keyPair, options) {
	checkConfig(config);
	return DPoP(int(config).c, keyPair, options);
}
async function handleRetryAfter(response, currentInterval, signal, throwIfInvalid = false) {
	const retryAfter = response.headers.get("retry-after")?.trim();
	if (retryAfter === void 0) return;
	let delaySeconds;
	if (/^\d+$/.test(retryAfter)) delaySeconds = parseInt(retryAfter, 10);
	else {
		const retryDate = new Date(retryAfter);
		if (Number.isFinite(retryDate.getTime())) {
			const now = new Date();
			const delayMs = retryDate.getTime() - now.getTime();
			if (delayMs > 0) delaySeconds = Math.ceil(delayMs / 1e3);
		}
	}
	if (throwIfInvalid && !Number.isFinite(delaySeconds)) throw new OperationProcessingError("invalid Retry-After header value", { cause: response });
	if (delaySeconds > currentInterval) await wait(delaySeconds - currentInterval, signal);
}
function wait(duration, signal) {
	return new Promise((resolve, reject) => {
		const waitStep = (remaining) => {
			try {
				signal.throwIfAborted();
			} catch (err) {
				reject(err);
				return;
			}
			if (remaining <= 0) {
				resolve();
				return;
			}
			const currentWait = Math.min(remaining, 5);
			setTimeout(() => waitStep(remaining - currentWait), currentWait * 1e3);
		};
		waitStep(duration);
	});
}
function pollRequestSignal(pollingSignal, timeout) {
	const timeoutSignal = signal(timeout);
	if (!timeoutSignal) return {
		signal: pollingSignal,
		cleanup() {}
	};
	const controller = new AbortController();
	const abort = (event) => {
		const source = event.target;
		controller.abort(source.reason);
	};
	if (pollingSignal.aborted) controller.abort(pollingSignal.reason);
	else if (timeoutSignal.aborted) controller.abort(timeoutSignal.reason);
	else {
		pollingSignal.addEventListener("abort", abort, { once: true });
		timeoutSignal.addEventListener("abort", abort, { once: true });
	}
	return {
		signal: controller.signal,
		cleanup() {
			pollingSignal.removeEventListener("abort", abort);
			timeoutSignal.removeEventListener("abort", abort);
		}
	};
}
async function pollGrant(config, authorizationResponse, grantCode, request, processResponse, parameters, options) {
	const requestParameters = new URLSearchParams(parameters);
	let interval = authorizationResponse.interval ?? 5;
	const pollingSignal = options?.signal ?? AbortSignal.timeout(authorizationResponse.expires_in * 1e3);
	for (;;) {
		try {
			await wait(interval, pollingSignal);
		} catch (error) {
			errorHandler(error);
		}
		const { as, c, auth, fetch, tlsOnly, nonRepudiation, timeout, decrypt } = int(config);
		const requestSignal = pollRequestSignal(pollingSignal, timeout);
		try {
			const response = await request(as, c, auth, grantCode, {
				[customFetch$1]: fetch,
				[allowInsecureRequests$1]: !tlsOnly,
				additionalParameters: requestParameters,
				DPoP: options?.DPoP,
				headers: new Headers(headers),
				signal: requestSignal.signal
			}).catch(errorHandler);
			if (response.status === 503 && response.headers.has("retry-after")) {
				await response.body?.cancel();
				await handleRetryAfter(response, interval, pollingSignal, true);
				options = {
					...options,
					flag: void 0
				};
				continue;
			}
			let result;
			try {
				result = await processResponse(as, c, response, { [jweDecrypt]: decrypt });
			} catch (error) {
				if (retryable(error, options)) {
					options = {
						...options,
						flag: retry
					};
					continue;
				}
				if (error instanceof ResponseBodyError && (error.error === "slow_down" || error.error === "authorization_pending")) {
					if (error.error === "slow_down") interval += 5;
					await handleRetryAfter(error.response, interval, pollingSignal);
					options = {
						...options,
						flag: void 0
					};
					continue;
				}
				errorHandler(error);
			}
			result.id_token && await nonRepudiation?.(response);
			addHelpers(result);
			return result;
		} finally {
			requestSignal.cleanup();
		}
	}
}
async function pollDeviceAuthorizationGrant(config, deviceAuthorizationResponse, parameters, options) {
	checkConfig(config);
	return pollGrant(config, deviceAuthorizationResponse, deviceAuthorizationResponse.device_code, deviceCodeGrantRequest, processDeviceCodeResponse, parameters, options);
}
async function initiateDeviceAuthorization(config, parameters) {
	checkConfig(config);
	const { as, c, auth, fetch, tlsOnly, timeout } = int(config);
	return deviceAuthorizationRequest(as, c, auth, parameters, {
		[customFetch$1]: fetch,
		[allowInsecureRequests$1]: !tlsOnly,
		headers: new Headers(headers),
		signal: signal(timeout)
	}).then((response) => processDeviceAuthorizationResponse(as, c, response)).catch(errorHandler);
}
async function initiateBackchannelAuthentication(config, parameters) {
	checkConfig(config);
	const { as, c, auth, fetch, tlsOnly, timeout } = int(config);
	return backchannelAuthenticationRequest(as, c, auth, parameters, {
		[customFetch$1]: fetch,
		[allowInsecureRequests$1]: !tlsOnly,
		headers: new Headers(headers),
		signal: signal(timeout)
	}).then((response) => processBackchannelAuthenticationResponse(as, c, response)).catch(errorHandler);
}
async function pollBackchannelAuthenticationGrant(config, backchannelAuthenticationResponse, parameters, options) {
	checkConfig(config);
	return pollGrant(config, backchannelAuthenticationResponse, backchannelAuthenticationResponse.auth_req_id, backchannelAuthenticationGrantRequest, processBackchannelAuthenticationGrantResponse, parameters, options);
}
function allowInsecureRequests(config) {
	int(config).tlsOnly = false;
}
function setJwksCache(config, jwksCache) {
	int(config).jwksCache = structuredClone(jwksCache);
}
function getJwksCache(config) {
	const cache = int(config).jwksCache;
	if (cache.uat) return cache;
}
function enableNonRepudiationChecks(config) {
	checkConfig(config);
	int(config).nonRepudiation = (response) => {
		const { as, fetch, tlsOnly, timeout, jwksCache: jwksCache$4 } = int(config);
		return validateApplicationLevelSignature(as, response, {
			[customFetch$1]: fetch,
			[allowInsecureRequests$1]: !tlsOnly,
			headers: new Headers(headers),
			signal: signal(timeout),
			[jwksCache]: jwksCache$4
		}).catch(errorHandler);
	};
}
function useJwtResponseMode(config) {
	checkConfig(config);
	const { hybrid, implicit } = int(config);
	if (hybrid || implicit) throw e("JARM cannot be combined with a hybrid or implicit response types", void 0, UNSUPPORTED_OPERATION);
	int(config).jarm = (authorizationResponse, expectedState) => validateJARMResponse(config, authorizationResponse, expectedState);
}
function enableDetachedSignatureResponseChecks(config) {
	if (!int(config).hybrid) throw e("\"code id_token\" response type must be configured to be used first", void 0, UNSUPPORTED_OPERATION);
	int(config).hybrid = (authorizationResponse, expectedNonce, expectedState, maxAge) => validateCodeIdTokenResponse(config, authorizationResponse, expectedNonce, expectedState, maxAge, true);
}
async function implicitAuthentication(config, currentUrl, expectedNonce, checks) {
	checkConfig(config);
	if (!(currentUrl instanceof URL) && !webInstanceOf(currentUrl, "Request")) throw CodedTypeError("\"currentUrl\" must be an instance of URL, or Request", ERR_INVALID_ARG_TYPE);
	if (typeof expectedNonce !== "string") throw CodedTypeError("\"expectedNonce\" must be a string", ERR_INVALID_ARG_TYPE);
	const { as, c, fetch, tlsOnly, timeout, decrypt, implicit, jwksCache: jwksCache$1 } = int(config);
	if (!implicit) throw new TypeError("implicitAuthentication() cannot be used by clients using flows other than response_type=id_token");
	let params;
	if (!(currentUrl instanceof URL)) {
		const request = currentUrl;
		switch (request.method) {
			case "GET":
				params = new URLSearchParams(new URL(request.url).hash.slice(1));
				break;
			case "POST":
				params = new URLSearchParams(await formPostResponse(request));
				break;
			default: throw CodedTypeError("unexpected Request HTTP method", ERR_INVALID_ARG_VALUE);
		}
	} else params = new URLSearchParams(currentUrl.hash.slice(1));
	try {
		{
			const decoy = new URLSearchParams(params);
			decoy.delete("id_token");
			validateAuthResponse({
				...as,
				authorization_response_iss_parameter_supported: void 0
			}, c, decoy, checks?.expectedState);
		}
		{
			const decoy = new Response(JSON.stringify({
				access_token: "decoy",
				token_type: "bearer",
				id_token: params.get("id_token")
			}), { headers: new Headers({ "content-type": "application/json" }) });
			const ref = await processAuthorizationCodeResponse(as, c, decoy, {
				expectedNonce,
				maxAge: checks?.maxAge,
				[jweDecrypt]: decrypt
			});
			await validateApplicationLevelSignature(as, decoy, {
				[customFetch$1]: fetch,
				[allowInsecureRequests$1]: !tlsOnly,
				headers: new Headers(headers),
				signal: signal(timeout),
				[jwksCache]: jwksCache$1
			});
			return getValidatedIdTokenClaims(ref);
		}
	} catch (err) {
		errorHandler(err);
	}
}
function useCodeIdTokenResponseType(config) {
	checkConfig(config);
	const { jarm, implicit } = int(config);
	if (jarm || implicit) throw e("\"code id_token\" response type cannot be combined with JARM or implicit response type", void 0, UNSUPPORTED_OPERATION);
	int(config).hybrid = (authorizationResponse, expectedNonce, expectedState, maxAge) => validateCodeIdTokenResponse(config, authorizationResponse, expectedNonce, expectedState, maxAge, false);
}
function useIdTokenResponseType(config) {
	checkConfig(config);
	const { jarm, hybrid } = int(config);
	if (jarm || hybrid) throw e("\"id_token\" response type cannot be combined with JARM or hybrid response type", void 0, UNSUPPORTED_OPERATION);
	int(config).implicit = true;
}
function stripParams(url) {
	url = new URL(url);
	url.search = "";
	url.hash = "";
	return url.href;
}
function webInstanceOf(input, toStringTag) {
	try {
		return Object.getPrototypeOf(input)[Symbol.toStringTag] === toStringTag;
	} catch {
		return false;
	}
}
async function authorizationCodeGrant(config, currentUrl, checks, tokenEndpointParameters, options) {
	checkConfig(config);
	if (options?.flag !== retry && !(currentUrl instanceof URL) && !webInstanceOf(currentUrl, "Request")) throw CodedTypeError("\"currentUrl\" must be an instance of URL, or Request", ERR_INVALID_ARG_TYPE);
	let authResponse;
	let redirectUri;
	const { as, c, auth, fetch, tlsOnly, jarm, hybrid, nonRepudiation, timeout, decrypt, implicit } = int(config);
	if (options?.flag === retry) {
		authResponse = options.authResponse;
		redirectUri = options.redirectUri;
	} else {
		if (!(currentUrl instanceof URL)) {
			const request = currentUrl;
			currentUrl = new URL(currentUrl.url);
			switch (request.method) {
				case "GET": break;
				case "POST":
					const params = new URLSearchParams(await formPostResponse(request));
					if (hybrid) currentUrl.hash = params.toString();
					else for (const [k, v] of params.entries()) currentUrl.searchParams.append(k, v);
					break;
				default: throw CodedTypeError("unexpected Request HTTP method", ERR_INVALID_ARG_VALUE);
			}
		}
		redirectUri = stripParams(currentUrl);
		switch (true) {
			case !!jarm:
				authResponse = await jarm(currentUrl, checks?.expectedState);
				break;
			case !!hybrid:
				authResponse = await hybrid(currentUrl, checks?.expectedNonce, checks?.expectedState, checks?.maxAge);
				break;
			case !!implicit: throw new TypeError("authorizationCodeGrant() cannot be used by response_type=id_token clients");
			default: try {
				authResponse = validateAuthResponse(as, c, currentUrl.searchParams, checks?.expectedState);
			} catch (err) {
				errorHandler(err);
			}
		}
	}
	const response = await authorizationCodeGrantRequest(as, c, auth, authResponse, redirectUri, checks?.pkceCodeVerifier || nopkce, {
		additionalParameters: tokenEndpointParameters,
		[customFetch$1]: fetch,
		[allowInsecureRequests$1]: !tlsOnly,
		DPoP: options?.DPoP,
		headers: new Headers(headers),
		signal: signal(timeout)
	}).catch(errorHandler);
	if (typeof checks?.expectedNonce === "string" || typeof checks?.maxAge === "number") checks.idTokenExpected = true;
	const p = processAuthorizationCodeResponse(as, c, response, {
		expectedNonce: checks?.expectedNonce,
		maxAge: checks?.maxAge,
		requireIdToken: checks?.idTokenExpected,
		[jweDecrypt]: decrypt
	});
	let result;
	try {
		result = await p;
	} catch (err) {
		if (retryable(err, options)) return authorizationCodeGrant(config, void 0, checks, tokenEndpointParameters, {
			...options,
			flag: retry,
			authResponse,
			redirectUri
		});
		errorHandler(err);
	}
	result.id_token && await nonRepudiation?.(response);
	addHelpers(result);
	return result;
}
async function validateJARMResponse(config, authorizationResponse, expectedState) {
	const { as, c, fetch, tlsOnly, timeout, decrypt, jwksCache: jwksCache$3 } = int(config);
	return validateJwtAuthResponse(as, c, authorizationResponse, expectedState, {
		[customFetch$1]: fetch,
		[allowInsecureRequests$1]: !tlsOnly,
		headers: new Headers(headers),
		signal: signal(timeout),
		[jweDecrypt]: decrypt,
		[jwksCache]: jwksCache$3
	}).catch(errorHandler);
}
async function validateCodeIdTokenResponse(config, authorizationResponse, expectedNonce, expectedState, maxAge, fapi) {
	if (typeof expectedNonce !== "string") throw CodedTypeError("\"expectedNonce\" must be a string", ERR_INVALID_ARG_TYPE);
	if (expectedState !== void 0 && typeof expectedState !== "string") throw CodedTypeError("\"expectedState\" must be a string", ERR_INVALID_ARG_TYPE);
	const { as, c, fetch, tlsOnly, timeout, decrypt, jwksCache: jwksCache$2 } = int(config);
	return (fapi ? validateDetachedSignatureResponse : validateCodeIdTokenResponse$1)(as, c, authorizationResponse, expectedNonce, expectedState, maxAge, {
		[customFetch$1]: fetch,
		[allowInsecureRequests$1]: !tlsOnly,
		headers: new Headers(headers),
		signal: signal(timeout),
		[jweDecrypt]: decrypt,
		[jwksCache]: jwksCache$2
	}).catch(errorHandler);
}
async function refreshTokenGrant(config, refreshToken, parameters, options) {
	checkConfig(config);
	parameters = new URLSearchParams(parameters);
	const { as, c, auth, fetch, tlsOnly, nonRepudiation, timeout, decrypt } = int(config);
	const response = await refreshTokenGrantRequest(as, c, auth, refreshToken, {
		[customFetch$1]: fetch,
		[allowInsecureRequests$1]: !tlsOnly,
		additionalParameters: parameters,
		DPoP: options?.DPoP,
		headers: new Headers(headers),
		signal: signal(timeout)
	}).catch(errorHandler);
	const p = processRefreshTokenResponse(as, c, response, { [jweDecrypt]: decrypt });
	let result;
	try {
		result = await p;
	} catch (err) {
		if (retryable(err, options)) return refreshTokenGrant(config, refreshToken, parameters, {
			...options,
			flag: retry
		});
		errorHandler(err);
	}
	result.id_token && await nonRepudiation?.(response);
	addHelpers(result);
	return result;
}
async function clientCredentialsGrant(config, parameters, options) {
	checkConfig(config);
	parameters = new URLSearchParams(parameters);
	const { as, c, auth, fetch, tlsOnly, timeout } = int(config);
	const p = processClientCredentialsResponse(as, c, await clientCredentialsGrantRequest(as, c, auth, parameters, {
		[customFetch$1]: fetch,
		[allowInsecureRequests$1]: !tlsOnly,
		DPoP: options?.DPoP,
		headers: new Headers(headers),
		signal: signal(timeout)
	}).catch(errorHandler));
	let result;
	try {
		result = await p;
	} catch (err) {
		if (retryable(err, options)) return clientCredentialsGrant(config, parameters, {
			...options,
			flag: retry
		});
		errorHandler(err);
	}
	addHelpers(result);
	return result;
}
function buildAuthorizationUrl(config, parameters) {
	checkConfig(config);
	const { as, c, tlsOnly, hybrid, jarm, implicit } = int(config);
	const authorizationEndpoint = resolveEndpoint(as, "authorization_endpoint", false, tlsOnly);
	parameters = new URLSearchParams(parameters);
	if (!parameters.has("client_id")) parameters.set("client_id", c.client_id);
	if (!parameters.has("request_uri") && !parameters.has("request")) {
		if (!parameters.has("response_type")) parameters.set("response_type", hybrid ? "code id_token" : implicit ? "id_token" : "code");
		if (implicit && !parameters.has("nonce")) throw CodedTypeError("response_type=id_token clients must provide a nonce parameter in their authorization request parameters", ERR_INVALID_ARG_VALUE);
		if (jarm) parameters.set("response_mode", "jwt");
	}
	for (const [k, v] of parameters.entries()) authorizationEndpoint.searchParams.append(k, v);
	return authorizationEndpoint;
}
async function buildAuthorizationUrlWithJAR(config, parameters, signingKey, options) {
	checkConfig(config);
	parameters = buildAuthorizationUrl(config, parameters).searchParams;
	if (!signingKey) throw CodedTypeError("\"signingKey\" must be provided", ERR_INVALID_ARG_VALUE);
	const { as, c } = int(config);
	return buildAuthorizationUrl(config, { request: await issueRequestObject(as, c, parameters, signingKey, options).catch(errorHandler) });
}
async function buildAuthorizationUrlWithPAR(config, parameters, options) {
	checkConfig(config);
	const authorizationEndpoint = buildAuthorizationUrl(config, parameters);
	const { as, c, auth, fetch, tlsOnly, timeout } = int(config);
	const p = processPushedAuthorizationResponse(as, c, await pushedAuthorizationRequest(as, c, auth, authorizationEndpoint.searchParams, {
		[customFetch$1]: fetch,
		[allowInsecureRequests$1]: !tlsOnly,
		DPoP: options?.DPoP,
		headers: new Headers(headers),
		signal: signal(timeout)
	}).catch(errorHandler));
	let result;
	try {
		result = await p;
	} catch (err) {
		if (retryable(err, options)) return buildAuthorizationUrlWithPAR(config, parameters, {
			...options,
			flag: retry
		});
		errorHandler(err);
	}
	return buildAuthorizationUrl(config, { request_uri: result.request_uri });
}
function buildEndSessionUrl(config, parameters) {
	checkConfig(config);
	const { as, c, tlsOnly } = int(config);
	const endSessionEndpoint = resolveEndpoint(as, "end_session_endpoint", false, tlsOnly);
	parameters = new URLSearchParams(parameters);
	if (!parameters.has("client_id")) parameters.set("client_id", c.client_id);
	for (const [k, v] of parameters.entries()) endSessionEndpoint.searchParams.append(k, v);
	return endSessionEndpoint;
}
function checkConfig(input) {
	if (!(input instanceof Configuration)) throw CodedTypeError("\"config\" must be an instance of Configuration", ERR_INVALID_ARG_TYPE);
	if (Object.getPrototypeOf(input) !== Configuration.prototype) throw CodedTypeError("subclassing Configuration is not allowed", ERR_INVALID_ARG_VALUE);
}
function signal(timeout) {
	return timeout ? AbortSignal.timeout(timeout * 1e3) : void 0;
}
async function fetchUserInfo(config, accessToken, expectedSubject, options) {
	checkConfig(config);
	const { as, c, fetch, tlsOnly, nonRepudiation, timeout, decrypt } = int(config);
	const response = await userInfoRequest(as, c, accessToken, {
		[customFetch$1]: fetch,
		[allowInsecureRequests$1]: !tlsOnly,
		DPoP: options?.DPoP,
		headers: new Headers(headers),
		signal: signal(timeout)
	}).catch(errorHandler);
	let exec = processUserInfoResponse(as, c, expectedSubject, response, { [jweDecrypt]: decrypt });
	let result;
	try {
		result = await exec;
	} catch (err) {
		if (retryable(err, options)) return fetchUserInfo(config, accessToken, expectedSubject, {
			...options,
			flag: retry
		});
		errorHandler(err);
	}
	getContentType(response) === "application/jwt" && await nonRepudiation?.(response);
	return result;
}
function retryable(err, options) {
	if (options?.DPoP && options.flag !== retry) return isDPoPNonceError(err);
	return false;
}
async function tokenIntrospection(config, token, parameters) {
	checkConfig(config);
	const { as, c, auth, fetch, tlsOnly, nonRepudiation, timeout, decrypt } = int(config);
	const response = await introspectionRequest(as, c, auth, token, {
		[customFetch$1]: fetch,
		[allowInsecureRequests$1]: !tlsOnly,
		additionalParameters: new URLSearchParams(parameters),
		headers: new Headers(headers),
		signal: signal(timeout)
	}).catch(errorHandler);
	const result = await processIntrospectionResponse(as, c, response, { [jweDecrypt]: decrypt }).catch(errorHandler);
	getContentType(response) === "application/token-introspection+jwt" && await nonRepudiation?.(response);
	return result;
}
async function genericGrantRequest(config, grantType, parameters, options) {
	checkConfig(config);
	const { as, c, auth, fetch, tlsOnly, timeout, decrypt, nonRepudiation } = int(config);
	const response = await genericTokenEndpointRequest(as, c, auth, grantType, new URLSearchParams(parameters), {
		[customFetch$1]: fetch,
		[allowInsecureRequests$1]: !tlsOnly,
		DPoP: options?.DPoP,
		headers: new Headers(headers),
		signal: signal(timeout)
	}).catch(errorHandler);
	let recognizedTokenTypes;
	if (grantType === "urn:ietf:params:oauth:grant-type:token-exchange") recognizedTokenTypes = { n_a: () => {} };
	const p = processGenericTokenEndpointResponse(as, c, response, {
		[jweDecrypt]: decrypt,
		recognizedTokenTypes
	});
	let result;
	try {
		result = await p;
	} catch (err) {
		if (retryable(err, options)) return genericGrantRequest(config, grantType, parameters, {
			...options,
			flag: retry
		});
		errorHandler(err);
	}
	result.id_token && await nonRepudiation?.(response);
	addHelpers(result);
	return result;
}
async function tokenRevocation(config, token, parameters) {
	checkConfig(config);
	const { as, c, auth, fetch, tlsOnly, timeout } = int(config);
	return revocationRequest(as, c, auth, token, {
		[customFetch$1]: fetch,
		[allowInsecureRequests$1]: !tlsOnly,
		additionalParameters: new URLSearchParams(parameters),
		headers: new Headers(headers),
		signal: signal(timeout)
	}).then(processRevocationResponse).catch(errorHandler);
}
async function fetchProtectedResource(config, accessToken, url, method, body, headers, options) {
	checkConfig(config);
	headers ||= new Headers();
	if (USER_AGENT && !headers.has("user-agent")) headers.set("user-agent", USER_AGENT);
	const { fetch, tlsOnly, timeout } = int(config);
	const exec = protectedResourceRequest(accessToken, method, url, headers, body, {
		[customFetch$1]: fetch,
		[allowInsecureRequests$1]: !tlsOnly,
		DPoP: options?.DPoP,
		signal: signal(timeout)
	});
	let result;
	try {
		result = await exec;
	} catch (err) {
		if (retryable(err, options)) return fetchProtectedResource(config, accessToken, url, method, body, headers, {
			...options,
			flag: retry
		});
		errorHandler(err);
	}
	return result;
}
var headers, USER_AGENT, int, props, skipStateCheck, skipSubjectCheck, customFetch, modifyAssertion, clockSkew, clockTolerance, ERR_INVALID_ARG_VALUE, ERR_INVALID_ARG_TYPE, ClientError, decoder, ecdhEs, ecdhEsA128Kw, ecdhEsA192Kw, ecdhEsA256Kw, kEntraId, Configuration, retry;
var init_build = __esmMin((() => {
	init_build$1();
	init_decrypt();
	init_errors();
	if (typeof navigator === "undefined" || !navigator.userAgent?.startsWith?.("Mozilla/5.0 ")) {
		USER_AGENT = `openid-client/v6.8.9`;
		headers = { "user-agent": USER_AGENT };
	}
	int = (config) => {
		return props.get(config);
	};
	skipStateCheck = skipStateCheck$1;
	skipSubjectCheck = skipSubjectCheck$1;
	customFetch = customFetch$1;
	modifyAssertion = modifyAssertion$1;
	clockSkew = clockSkew$1;
	clockTolerance = clockTolerance$1;
	ERR_INVALID_ARG_VALUE = "ERR_INVALID_ARG_VALUE";
	ERR_INVALID_ARG_TYPE = "ERR_INVALID_ARG_TYPE";
	ClientError = class extends Error {
		code;
		constructor(message, options) {
			super(message, options);
			this.name = this.constructor.name;
			this.code = options?.code;
			Error.captureStackTrace?.(this, this.constructor);
		}
	};
	decoder = new TextDecoder();
	ecdhEs = "ECDH-ES";
	ecdhEsA128Kw = "ECDH-ES+A128KW";
	ecdhEsA192Kw = "ECDH-ES+A192KW";
	ecdhEsA256Kw = "ECDH-ES+A256KW";
	kEntraId = Symbol();
	Configuration = class {
		constructor(server, clientId, metadata, clientAuthentication) {
			if (typeof clientId !== "string" || !clientId.length) throw CodedTypeError("\"clientId\" must be a non-empty string", ERR_INVALID_ARG_TYPE);
			if (typeof metadata === "string") metadata = { client_secret: metadata };
			if (metadata?.client_id !== void 0 && clientId !== metadata.client_id) throw CodedTypeError("\"clientId\" and \"metadata.client_id\" must be the same", ERR_INVALID_ARG_VALUE);
			const client = {
				...structuredClone(metadata),
				client_id: clientId
			};
			client[clockSkew$1] = metadata?.[clockSkew$1] ?? 0;
			client[clockTolerance$1] = metadata?.[clockTolerance$1] ?? 30;
			let auth;
			if (clientAuthentication) auth = clientAuthentication;
			else if (typeof client.client_secret === "string" && client.client_secret.length) auth = ClientSecretPost(client.client_secret);
			else auth = None();
			let c = Object.freeze(client);
			const clone = structuredClone(server);
			if (kEntraId in server) clone[_expectedIssuer] = ({ claims: { tid } }) => server.issuer.replace("{tenantid}", tid);
			let as = Object.freeze(clone);
			props ||= new WeakMap();
			props.set(this, {
				__proto__: null,
				as,
				c,
				auth,
				tlsOnly: true,
				timeout: 30,
				jwksCache: {}
			});
		}
		serverMetadata() {
			const metadata = structuredClone(int(this).as);
			addServerHelpers(metadata);
			return metadata;
		}
		clientMetadata() {
			return structuredClone(int(this).c);
		}
		get timeout() {
			return int(this).timeout;
		}
		set timeout(value) {
			int(this).timeout = value;
		}
		get [customFetch]() {
			return int(this).fetch;
		}
		set [customFetch](value) {
			int(this).fetch = value;
		}
	};
	Object.freeze(Configuration.prototype);
	retry = Symbol();
}));
function openIssuer(client, authenticate, seams) {
	let opened;
	const open = async () => {
		opened ??= retryTransient(() => discover(client, authenticate, seams), seams);
		opened.catch(() => {
			opened = void 0;
		});
		return opened;
	};
	const call = async (request) => {
		const ready = await open();
		return retryTransient(() => explained(client, () => request(ready)), seams);
	};
	return {
		grant: ({ type, parameters }) => call(async ({ openId, configuration }) => {
			const asked = seams.now();
			const answer = await openId.genericGrantRequest(configuration, type, await parameters());
			warnOfScope(client, answer, seams);
			return issuedBy(answer, asked, seams);
		}),
		authorizeDevice: () => call(({ openId, configuration }) => openId.initiateDeviceAuthorization(configuration, client.access)),
		revoke: (token) => call(async ({ openId, configuration }) => {
			if (configuration.serverMetadata().revocation_endpoint === void 0) return false;
			await openId.tokenRevocation(configuration, token);
			return true;
		})
	};
}
async function discover(client, authenticate, seams) {
	const openId = await Promise.resolve().then(() => (init_build(), build_exports));
	const authentication = await authenticate(openId);
	const { issuer, clientId } = client;
	return {
		openId,
		configuration: await explained(client, () => openId.discovery(new URL(issuer), clientId, void 0, authentication, {
			execute: [openId.allowInsecureRequests],
			[openId.customFetch]: createIssuerFetch(client, seams),
			timeout: seams.timeoutMs / 1e3
		}))
	};
}
function issuedBy(answer, now, { redactor }) {
	const { access_token: accessToken, refresh_token: refreshToken, expires_in: lifetime } = answer;
	redactor.hide(accessToken);
	if (refreshToken !== void 0) redactor.hide(refreshToken);
	return {
		accessToken,
		...lifetime !== void 0 && { expiresAt: now + lifetime * 1e3 },
		...refreshToken !== void 0 && { refreshToken }
	};
}
const neverNamed = /^(?:openid|offline_access)$|\/\.default$/u;
function warnOfScope({ issuer, access }, { scope }, { warn }) {
	const given = scope?.split(" ");
	const lacking = access["scope"]?.split(" ").filter((name) => !neverNamed.test(name) && given?.includes(name) === false);
	if (!lacking || lacking.length === 0) return;
	warn({
		code: "scope-narrowed",
		severity: "warning",
		message: `The issuer ${issuer} gives a token without the scope ${JSON.stringify(lacking.join(" "))}.`,
		hint: "Check auth.scope, and the scopes that the client may ask for."
	});
}
async function renewLogin(client, issuer, { store, redactor, now }, rejected) {
	const login = store.load(client);
	if (!login) throw loginNeeded(client, "You are not logged in");
	for (const token of [login.accessToken, login.refreshToken]) if (token !== void 0) redactor.hide(token);
	if ((login.expiresAt === void 0 || login.expiresAt - now() > spare) && login.accessToken !== rejected) return login;
	const { refreshToken } = login;
	if (refreshToken === void 0) throw loginNeeded(client, "Your login has ended");
	return refresh(client, issuer, store, refreshToken);
}
const spare = 3e4;
async function refresh(client, issuer, store, refreshToken) {
	try {
		const login = {
			refreshToken,
			...await issuer.grant({
				type: "refresh_token",
				parameters: async () => ({
					...client.access,
					refresh_token: refreshToken
				})
			})
		};
		store.save(client, login);
		return login;
	} catch (error) {
		if (!(error instanceof IssuerError) || error.reason !== "invalid_grant") throw error;
		return renewedByAnother(client, store, refreshToken);
	}
}
function renewedByAnother(client, store, refreshToken) {
	const login = store.load(client);
	if (login && login.refreshToken !== refreshToken) return login;
	throw loginNeeded(client, "Your login has ended");
}
function loginNeeded({ issuer, clientId }, complaint) {
	return new ConfigError("login-needed", `${complaint} at ${issuer} for the client ${clientId}.`, { hint: "Run: contract-sync login" });
}
function issueBy(choice, issuer, seams) {
	const { access } = choice.client;
	const ask = (grant) => () => issuer.grant(grant);
	switch (choice.method) {
		case "client-secret-basic":
		case "client-secret-post":
		case "private-key-jwt": return ask({
			type: "client_credentials",
			parameters: async () => access
		});
		case "github-client-assertion": {
			const idToken = idTokenOf(choice, seams);
			return ask({
				type: "client_credentials",
				parameters: async () => ({
					...access,
					client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
					client_assertion: await idToken()
				})
			});
		}
		case "github-token-exchange": {
			const idToken = idTokenOf(choice, seams);
			return ask({
				type: "urn:ietf:params:oauth:grant-type:token-exchange",
				parameters: async () => ({
					...access,
					subject_token: await idToken(),
					subject_token_type: choice.subjectTokenType
				})
			});
		}
		case "device-login": {
			const { store } = seams;
			if (!store) throw notHere("a login of a person", "no logins are kept");
			return (rejected) => renewLogin(choice.client, issuer, {
				...seams,
				store
			}, rejected);
		}
	}
}
function idTokenOf({ idTokenAudience }, { idToken, redactor }) {
	if (!idToken) throw notHere("GitHub's ID token", "GitHub gives none");
	return async () => {
		const token = await idToken(idTokenAudience);
		redactor.hide(token);
		return token;
	};
}
function notHere(what, why) {
	return new ConfigError("method-unavailable", `auth.method needs ${what}, and here ${why}.`, { hint: "GitHub's ID token needs a workflow whose job has the permission `id-token: write`." });
}
function readPrivateKey(secret) {
	const text = secret.value.trim();
	const jwk = text.startsWith("{") ? parseJwk(text) : void 0;
	const key = readKey(secret, jwk ?? text);
	const algorithm = algorithmOf(key);
	if (!algorithm) throw unusable$1(secret, "is of a kind that signs no assertions");
	const kid = jwk?.["kid"];
	return {
		key: key.toCryptoKey(algorithm, false, ["sign"]),
		...typeof kid === "string" && { kid }
	};
}
function readKey(secret, material) {
	try {
		return typeof material === "string" ? createPrivateKey(material) : createPrivateKey({
			key: material,
			format: "jwk"
		});
	} catch {
		throw unusable$1(secret, "cannot be read");
	}
}
function algorithmOf({ asymmetricKeyType, asymmetricKeyDetails }) {
	switch (asymmetricKeyType) {
		case "rsa": return {
			name: "RSASSA-PKCS1-v1_5",
			hash: "SHA-256"
		};
		case "ec": {
			const namedCurve = curves[asymmetricKeyDetails?.namedCurve ?? ""];
			return namedCurve === void 0 ? void 0 : {
				name: "ECDSA",
				namedCurve
			};
		}
		case "ed25519": return { name: "Ed25519" };
		default: return;
	}
}
const curves = {
	prime256v1: "P-256",
	secp384r1: "P-384",
	secp521r1: "P-521"
};
function parseJwk(text) {
	try {
		const jwk = JSON.parse(text);
		return isObject$1(jwk) ? jwk : void 0;
	} catch {
		return;
	}
}
function unusable$1({ origin }, complaint) {
	return new ConfigError("invalid-private-key", `The private key in ${origin} ${complaint}.`, { hint: "Give an unencrypted RSA, P-256, P-384, P-521 or Ed25519 key as PEM or JWK." });
}
function proofOf(choice, redactor) {
	switch (choice.method) {
		case "client-secret-post": return secretInBody(choice.secret.value, redactor);
		case "client-secret-basic": return secretInHeader(choice.client.clientId, choice.secret.value, redactor);
		case "private-key-jwt": {
			redactor.hide(choice.key.value);
			const key = readPrivateKey(choice.key);
			return ({ PrivateKeyJwt }) => PrivateKeyJwt(key);
		}
		case "github-token-exchange": return choice.secret ? secretInHeader(choice.client.clientId, choice.secret.value, redactor) : ({ None }) => None();
		case "github-client-assertion":
		case "device-login": return ({ None }) => None();
	}
}
function secretInBody(text, { hide }) {
	const secret = withoutLineEnd(text);
	hide(secret);
	return ({ ClientSecretPost }) => ClientSecretPost(secret);
}
function secretInHeader(clientId, text, { hide }) {
	const secret = withoutLineEnd(text);
	hide(secret);
	hide(btoa(`${encodeURIComponent(clientId)}:${encodeURIComponent(secret)}`));
	return ({ ClientSecretBasic }) => ClientSecretBasic(secret);
}
function withoutLineEnd(text) {
	return text.replace(/\r?\n$/u, "");
}
function completeSeams(given) {
	return {
		fetch: async (input, init) => globalThis.fetch(input, init),
		sleep: async (milliseconds, signal) => {
			await setTimeout$1(milliseconds, void 0, signal && { signal });
		},
		now: Date.now,
		random: Math.random,
		timeoutMs: 3e4,
		redactor: createRedactor(),
		warn: () => void 0,
		log: () => void 0,
		...given
	};
}
const lastInstant = 864e10;
function readClaims(token) {
	const payload = decodePayload(token);
	const subject = [
		"preferred_username",
		"email",
		"sub",
		"client_id"
	].map((name) => payload[name]).find((value) => typeof value === "string");
	const { exp } = payload;
	return {
		...typeof subject === "string" && { subject },
		...typeof exp === "number" && Math.abs(exp) < lastInstant && { expiresAt: exp * 1e3 }
	};
}
function decodePayload(token) {
	const [, payload, signature] = token.split(".");
	if (payload === void 0 || signature === void 0) return {};
	try {
		const claims = JSON.parse(Buffer.from(payload, "base64url").toString());
		return isObject$1(claims) ? claims : {};
	} catch {
		return {};
	}
}
function staticToken(token) {
	const bearer = parseBearerToken(token);
	return async () => bearer;
}
const soon = 3e5;
function checkLifetime(token, origin, now) {
	const { expiresAt } = readClaims(token);
	if (expiresAt === void 0 || expiresAt - now > soon) return void 0;
	if (expiresAt > now) return expiresSoon(origin, expiresAt - now);
	throw new ConfigError("token-expired", `The token in ${origin} expired at ${instant(expiresAt)}; by the clock of this machine it is ${instant(now)}.`, { hint: "Renew it; if the clock is wrong, set it." });
}
function expiresSoon(origin, left) {
	return {
		code: "token-expires-soon",
		severity: "warning",
		message: `The token in ${origin} expires in ${Math.ceil(left / 1e3)} seconds.`,
		hint: "A run that takes longer ends with 401: renew the token first."
	};
}
function instant(epochMilliseconds) {
	return new Date(epochMilliseconds).toISOString().replace(/\.\d+Z$/u, "Z");
}
function createTokenSource(settings, given = {}) {
	const seams = completeSeams(given);
	const choice = chooseMethod(settings, seams.idToken !== void 0);
	seams.log(`Token: ${choice.method}, because ${choice.reason}.`);
	return choice.method === "static-token" ? sourceOfStatic(choice.token, seams) : sourceOfIssuer(choice, seams);
}
function sourceOfStatic({ value, origin }, seams) {
	seams.redactor.hide(value);
	const warning = checkLifetime(parseBearerToken(value), origin, seams.now());
	if (warning) seams.warn(warning);
	return staticToken(value);
}
function sourceOfIssuer(choice, seams) {
	const issue = issueBy(choice, openIssuer(choice.client, proofOf(choice, seams.redactor), seams), seams);
	return cacheToken(async (rejected) => {
		const issued = await issue(rejected);
		parseBearerToken(issued.accessToken);
		seams.log(lifetimeLine(choice, issued, seams.now()));
		return issued;
	}, seams.now);
}
function lifetimeLine({ method, client }, { expiresAt }, now) {
	const life = expiresAt === void 0 ? "" : `, good for ${Math.round((expiresAt - now) / 1e3)} s`;
	return `Token: by ${method} from ${client.issuer}${life}.`;
}
const validate$1 = validate20;
const schema31 = {
	"$schema": "https://json-schema.org/draft/2020-12/schema",
	"$id": "urn:contract-sync:schema:config",
	"title": "contract-sync configuration",
	"description": "The file contract-sync.yaml. Every key is optional; flags beat the environment, the environment beats this file.",
	"type": "object",
	"additionalProperties": false,
	"properties": {
		"catalog": {
			"title": "The catalog",
			"type": "object",
			"additionalProperties": false,
			"properties": {
				"url": {
					"description": "The base URL of the catalog's interface, without /v1.",
					"type": "string",
					"examples": ["https://catalog.example.com/api"]
				},
				"dialect": {
					"description": "What kind of catalog it is, where the interface is silent; `auto` tells it by its contracts.",
					"enum": [
						"auto",
						"documented",
						"openmetadata"
					],
					"default": "auto"
				},
				"pageSize": {
					"description": "Contracts asked for in one request, or `auto` to let the catalog's size decide.",
					"anyOf": [{ "const": "auto" }, {
						"type": "integer",
						"minimum": 1,
						"maximum": 1e6
					}],
					"default": "auto",
					"$comment": "a whole number of at least 1, or auto"
				},
				"concurrency": {
					"description": "How many requests may be in flight at once.",
					"type": "integer",
					"minimum": 1,
					"maximum": 256,
					"default": 8
				},
				"timeoutSeconds": {
					"description": "How long one request may take.",
					"type": "number",
					"exclusiveMinimum": 0,
					"maximum": 3600,
					"default": 30
				}
			}
		},
		"auth": {
			"title": "Where tokens come from",
			"description": "An OpenID issuer. Secrets stand in no file of a repository: they are set in the environment.",
			"type": "object",
			"additionalProperties": false,
			"properties": {
				"issuer": {
					"description": "What its discovery document calls `issuer`.",
					"type": "string",
					"minLength": 1,
					"examples": ["https://id.example.com"]
				},
				"clientId": {
					"description": "The client that is registered at the issuer.",
					"type": "string",
					"minLength": 1,
					"examples": ["contract-sync"]
				},
				"method": {
					"description": "How the client proves who it is; unless given, the secret or ID token at hand decides.",
					"enum": [
						"client-secret-basic",
						"client-secret-post",
						"private-key-jwt",
						"github-client-assertion",
						"github-token-exchange",
						"device-login"
					]
				},
				"scope": {
					"description": "The scopes to ask for, separated by spaces.",
					"type": "string",
					"minLength": 1,
					"examples": ["contracts"]
				},
				"resource": {
					"description": "The resource that the token is for (RFC 8707).",
					"type": "string",
					"minLength": 1,
					"examples": ["https://catalog.example.com/api"]
				},
				"audience": {
					"description": "Whom the token is for, at issuers that ask for an audience.",
					"type": "string",
					"minLength": 1
				},
				"idTokenAudience": {
					"description": "Whom GitHub's ID token is for; the issuer unless given.",
					"type": "string",
					"minLength": 1,
					"examples": ["api://AzureADTokenExchange"]
				},
				"subjectTokenType": {
					"description": "What the issuer calls GitHub's ID token in a token exchange (RFC 8693).",
					"type": "string",
					"minLength": 1,
					"default": "urn:ietf:params:oauth:token-type:jwt"
				}
			}
		},
		"contracts": {
			"title": "The contract files",
			"type": "object",
			"additionalProperties": false,
			"properties": {
				"include": {
					"description": "Files, folders or globs, relative to the folder where the tool runs.",
					"type": "array",
					"items": {
						"type": "string",
						"minLength": 1
					},
					"minItems": 1,
					"default": ["contracts/**/*.{yaml,yml}"]
				},
				"exclude": {
					"description": "Globs of files that are no contracts.",
					"type": "array",
					"items": {
						"type": "string",
						"minLength": 1
					},
					"default": []
				}
			}
		},
		"scope": {
			"title": "What this repository owns",
			"description": "Patterns on qualified names: `*` stands for any text within a segment, `**` for any number of segments. A file that claims a contract outside is an error; only what is in scope is ever deprecated.",
			"type": "array",
			"items": {
				"type": "string",
				"minLength": 1
			},
			"default": [],
			"examples": [["warehouse.sales.**"]]
		},
		"unmanaged": {
			"title": "Live contracts without a file",
			"description": "What becomes of live contracts in scope that no file declares: `deprecate` plans their transition to Deprecated.",
			"enum": [
				"ignore",
				"report",
				"deprecate"
			],
			"default": "report"
		},
		"lifecycle": {
			"title": "Statuses and their order",
			"description": "Which statuses there are and which may follow which; a transition that is not listed is blocked.",
			"type": "object",
			"additionalProperties": false,
			"properties": {
				"statuses": {
					"type": "array",
					"items": {
						"type": "string",
						"minLength": 1
					},
					"minItems": 1,
					"uniqueItems": true,
					"default": [
						"Draft",
						"Active",
						"Deprecated"
					]
				},
				"transitions": {
					"type": "array",
					"items": {
						"type": "object",
						"additionalProperties": false,
						"required": ["from", "to"],
						"properties": {
							"from": {
								"type": "string",
								"minLength": 1
							},
							"to": {
								"type": "string",
								"minLength": 1
							},
							"rule": {
								"enum": [
									"allow",
									"warn",
									"block"
								],
								"default": "allow"
							}
						}
					}
				}
			}
		},
		"compatibility": {
			"title": "What changes may do to consumers",
			"description": "`mode` says whom a change must not break; each other key is a status of the lifecycle in lower case, and its value what a breaking change of a contract with that live status is. `contract-sync rules` lists the rules.",
			"type": "object",
			"additionalProperties": { "enum": [
				"off",
				"warn",
				"error"
			] },
			"properties": {
				"mode": {
					"description": "`forward`: those who read new data by the contract as it was. `backward`: those who read data on record by the contract as it becomes. `full`: both.",
					"enum": [
						"forward",
						"backward",
						"full",
						"none"
					],
					"default": "forward"
				},
				"draft": {
					"enum": [
						"off",
						"warn",
						"error"
					],
					"default": "off"
				},
				"active": {
					"enum": [
						"off",
						"warn",
						"error"
					],
					"default": "error"
				},
				"deprecated": {
					"enum": [
						"off",
						"warn",
						"error"
					],
					"default": "warn"
				},
				"widenings": {
					"description": "Chains of types, each holding all that the one before it holds; they add to the built-in ones.",
					"type": "array",
					"items": {
						"type": "array",
						"items": {
							"type": "string",
							"minLength": 1
						},
						"minItems": 2
					},
					"default": [],
					"examples": [[[
						"INT",
						"BIGINT",
						"HUGEINT"
					]]]
				}
			}
		},
		"limits": {
			"title": "How much one plan may touch",
			"description": "A plan that touches more is refused, unless --allow-limit lifts the limit for it.",
			"type": "object",
			"additionalProperties": false,
			"properties": {
				"updates": {
					"description": "Contracts that change.",
					"anyOf": [{
						"type": "integer",
						"minimum": 0
					}, {
						"type": "string",
						"pattern": "^\\d{1,3}(\\.\\d+)?%$"
					}],
					"$comment": "a number of contracts, or a share such as 20%",
					"default": "50%"
				},
				"deprecations": {
					"description": "Contracts that become Deprecated.",
					"anyOf": [{
						"type": "integer",
						"minimum": 0
					}, {
						"type": "string",
						"pattern": "^\\d{1,3}(\\.\\d+)?%$"
					}],
					"$comment": "a number of contracts, or a share such as 20%",
					"default": "20%"
				},
				"from": {
					"description": "With fewer contracts than this nothing is limited.",
					"type": "integer",
					"minimum": 0,
					"default": 10
				}
			}
		},
		"protected": {
			"title": "What nothing may change",
			"description": "Patterns on qualified names; any change of a contract that matches is blocked.",
			"type": "array",
			"items": {
				"type": "string",
				"minLength": 1
			},
			"default": [],
			"examples": [["warehouse.finance.**"]]
		},
		"allow": {
			"title": "Reasoned exceptions",
			"description": "Breaking changes that somebody has agreed to; every plan that uses one shows the reason.",
			"type": "array",
			"items": {
				"type": "object",
				"additionalProperties": false,
				"required": [
					"contract",
					"rule",
					"reason"
				],
				"properties": {
					"contract": {
						"description": "A pattern on qualified names.",
						"type": "string",
						"minLength": 1
					},
					"rule": {
						"description": "The rule that does not hold: `contract-sync rules` lists them.",
						"enum": [
							"column-removed",
							"column-renamed",
							"type-changed",
							"type-narrowed",
							"length-shortened",
							"required-dropped",
							"unique-dropped",
							"sla-worsened",
							"contract-emptied",
							"type-widened",
							"length-extended",
							"semantics-rule-removed",
							"semantics-rule-disabled",
							"owners-emptied",
							"unique-added",
							"column-added",
							"required-added",
							"semantics-rule-added",
							"description-changed",
							"order-changed",
							"tags-changed",
							"other-changed"
						]
					},
					"reason": {
						"description": "Why, for those who read the plan.",
						"type": "string",
						"minLength": 1
					},
					"until": {
						"description": "The last day, in UTC; without it the exception does not end.",
						"type": "string",
						"pattern": "^\\d{4}-\\d{2}-\\d{2}$",
						"$comment": "a day such as 2027-01-31"
					}
				}
			},
			"default": [],
			"examples": [[{
				"contract": "warehouse.sales.public.orders",
				"rule": "column-removed",
				"reason": "agreed with finance, DATA-812",
				"until": "2027-01-31"
			}]]
		},
		"ignore": {
			"title": "What is not compared",
			"description": "JSON Pointer patterns: `*` stands for one step, `**` for any number.",
			"type": "array",
			"items": {
				"type": "string",
				"pattern": "^/",
				"$comment": "a JSON Pointer, which starts with /"
			},
			"default": [],
			"examples": [["/schema/*/tags"]]
		},
		"patch": {
			"title": "How patches are written",
			"type": "object",
			"additionalProperties": false,
			"properties": {
				"operations": {
					"description": "`documented` restricts patches to the operations that the catalog's interface shows.",
					"enum": ["rfc6902", "documented"],
					"default": "rfc6902"
				},
				"moves": {
					"description": "Whether a reorder may be sent as `move` operations.",
					"type": "boolean",
					"default": true
				},
				"unordered": {
					"description": "Names of arrays whose order means nothing.",
					"type": "array",
					"items": {
						"type": "string",
						"minLength": 1
					},
					"default": [
						"owners",
						"reviewers",
						"tags"
					]
				},
				"keys": {
					"description": "The member, or members, by which the elements of an array are told apart, by the array's name.",
					"type": "object",
					"additionalProperties": {
						"type": "array",
						"items": {
							"type": "string",
							"minLength": 1
						},
						"minItems": 1
					},
					"examples": [{ "semantics": ["name"] }]
				}
			}
		}
	}
};
const func1 = Object.prototype.hasOwnProperty;
const func2 = (text) => [...text].length;
const pattern4 = new RegExp("^\\d{1,3}(\\.\\d+)?%$", "u");
const pattern6 = new RegExp("^\\d{4}-\\d{2}-\\d{2}$", "u");
const pattern7 = new RegExp("^/", "u");
function validate20(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
	let vErrors = null;
	let errors = 0;
	const evaluated0 = validate20.evaluated;
	if (evaluated0.dynamicProps) evaluated0.props = void 0;
	if (evaluated0.dynamicItems) evaluated0.items = void 0;
	if (data && typeof data == "object" && !Array.isArray(data)) {
		for (const key0 in data) if (!func1.call(schema31.properties, key0)) {
			const err0 = {
				instancePath,
				schemaPath: "#/additionalProperties",
				keyword: "additionalProperties",
				params: { additionalProperty: key0 },
				message: "must NOT have additional properties",
				schema: false,
				parentSchema: schema31,
				data
			};
			if (vErrors === null) vErrors = [err0];
			else vErrors.push(err0);
			errors++;
		}
		if (data.catalog !== void 0) {
			let data0 = data.catalog;
			if (data0 && typeof data0 == "object" && !Array.isArray(data0)) {
				for (const key1 in data0) if (!(key1 === "url" || key1 === "dialect" || key1 === "pageSize" || key1 === "concurrency" || key1 === "timeoutSeconds")) {
					const err1 = {
						instancePath: instancePath + "/catalog",
						schemaPath: "#/properties/catalog/additionalProperties",
						keyword: "additionalProperties",
						params: { additionalProperty: key1 },
						message: "must NOT have additional properties",
						schema: false,
						parentSchema: schema31.properties.catalog,
						data: data0
					};
					if (vErrors === null) vErrors = [err1];
					else vErrors.push(err1);
					errors++;
				}
				if (data0.url !== void 0) {
					let data1 = data0.url;
					if (typeof data1 !== "string") {
						const err2 = {
							instancePath: instancePath + "/catalog/url",
							schemaPath: "#/properties/catalog/properties/url/type",
							keyword: "type",
							params: { type: "string" },
							message: "must be string",
							schema: schema31.properties.catalog.properties.url.type,
							parentSchema: schema31.properties.catalog.properties.url,
							data: data1
						};
						if (vErrors === null) vErrors = [err2];
						else vErrors.push(err2);
						errors++;
					}
				}
				if (data0.dialect !== void 0) {
					let data2 = data0.dialect;
					if (!(data2 === "auto" || data2 === "documented" || data2 === "openmetadata")) {
						const err3 = {
							instancePath: instancePath + "/catalog/dialect",
							schemaPath: "#/properties/catalog/properties/dialect/enum",
							keyword: "enum",
							params: { allowedValues: schema31.properties.catalog.properties.dialect.enum },
							message: "must be equal to one of the allowed values",
							schema: schema31.properties.catalog.properties.dialect.enum,
							parentSchema: schema31.properties.catalog.properties.dialect,
							data: data2
						};
						if (vErrors === null) vErrors = [err3];
						else vErrors.push(err3);
						errors++;
					}
				}
				if (data0.pageSize !== void 0) {
					let data3 = data0.pageSize;
					const _errs10 = errors;
					let valid2 = false;
					const _errs11 = errors;
					if ("auto" !== data3) {
						const err4 = {
							instancePath: instancePath + "/catalog/pageSize",
							schemaPath: "#/properties/catalog/properties/pageSize/anyOf/0/const",
							keyword: "const",
							params: { allowedValue: "auto" },
							message: "must be equal to constant",
							schema: "auto",
							parentSchema: schema31.properties.catalog.properties.pageSize.anyOf[0],
							data: data3
						};
						if (vErrors === null) vErrors = [err4];
						else vErrors.push(err4);
						errors++;
					}
					var _valid0 = _errs11 === errors;
					valid2 = valid2 || _valid0;
					const _errs12 = errors;
					if (!(typeof data3 == "number" && !(data3 % 1) && !isNaN(data3) && isFinite(data3))) {
						const err5 = {
							instancePath: instancePath + "/catalog/pageSize",
							schemaPath: "#/properties/catalog/properties/pageSize/anyOf/1/type",
							keyword: "type",
							params: { type: "integer" },
							message: "must be integer",
							schema: schema31.properties.catalog.properties.pageSize.anyOf[1].type,
							parentSchema: schema31.properties.catalog.properties.pageSize.anyOf[1],
							data: data3
						};
						if (vErrors === null) vErrors = [err5];
						else vErrors.push(err5);
						errors++;
					}
					if (typeof data3 == "number" && isFinite(data3)) {
						if (data3 > 1e6 || isNaN(data3)) {
							const err6 = {
								instancePath: instancePath + "/catalog/pageSize",
								schemaPath: "#/properties/catalog/properties/pageSize/anyOf/1/maximum",
								keyword: "maximum",
								params: {
									comparison: "<=",
									limit: 1e6
								},
								message: "must be <= 1000000",
								schema: 1e6,
								parentSchema: schema31.properties.catalog.properties.pageSize.anyOf[1],
								data: data3
							};
							if (vErrors === null) vErrors = [err6];
							else vErrors.push(err6);
							errors++;
						}
						if (data3 < 1 || isNaN(data3)) {
							const err7 = {
								instancePath: instancePath + "/catalog/pageSize",
								schemaPath: "#/properties/catalog/properties/pageSize/anyOf/1/minimum",
								keyword: "minimum",
								params: {
									comparison: ">=",
									limit: 1
								},
								message: "must be >= 1",
								schema: 1,
								parentSchema: schema31.properties.catalog.properties.pageSize.anyOf[1],
								data: data3
							};
							if (vErrors === null) vErrors = [err7];
							else vErrors.push(err7);
							errors++;
						}
					}
					var _valid0 = _errs12 === errors;
					valid2 = valid2 || _valid0;
					if (!valid2) {
						const err8 = {
							instancePath: instancePath + "/catalog/pageSize",
							schemaPath: "#/properties/catalog/properties/pageSize/anyOf",
							keyword: "anyOf",
							params: {},
							message: "must match a schema in anyOf",
							schema: schema31.properties.catalog.properties.pageSize.anyOf,
							parentSchema: schema31.properties.catalog.properties.pageSize,
							data: data3
						};
						if (vErrors === null) vErrors = [err8];
						else vErrors.push(err8);
						errors++;
					} else {
						errors = _errs10;
						if (vErrors !== null) {
							if (_errs10) vErrors.length = _errs10;
							else vErrors = null;
						}
					}
				}
				if (data0.concurrency !== void 0) {
					let data4 = data0.concurrency;
					if (!(typeof data4 == "number" && !(data4 % 1) && !isNaN(data4) && isFinite(data4))) {
						const err9 = {
							instancePath: instancePath + "/catalog/concurrency",
							schemaPath: "#/properties/catalog/properties/concurrency/type",
							keyword: "type",
							params: { type: "integer" },
							message: "must be integer",
							schema: schema31.properties.catalog.properties.concurrency.type,
							parentSchema: schema31.properties.catalog.properties.concurrency,
							data: data4
						};
						if (vErrors === null) vErrors = [err9];
						else vErrors.push(err9);
						errors++;
					}
					if (typeof data4 == "number" && isFinite(data4)) {
						if (data4 > 256 || isNaN(data4)) {
							const err10 = {
								instancePath: instancePath + "/catalog/concurrency",
								schemaPath: "#/properties/catalog/properties/concurrency/maximum",
								keyword: "maximum",
								params: {
									comparison: "<=",
									limit: 256
								},
								message: "must be <= 256",
								schema: 256,
								parentSchema: schema31.properties.catalog.properties.concurrency,
								data: data4
							};
							if (vErrors === null) vErrors = [err10];
							else vErrors.push(err10);
							errors++;
						}
						if (data4 < 1 || isNaN(data4)) {
							const err11 = {
								instancePath: instancePath + "/catalog/concurrency",
								schemaPath: "#/properties/catalog/properties/concurrency/minimum",
								keyword: "minimum",
								params: {
									comparison: ">=",
									limit: 1
								},
								message: "must be >= 1",
								schema: 1,
								parentSchema: schema31.properties.catalog.properties.concurrency,
								data: data4
							};
							if (vErrors === null) vErrors = [err11];
							else vErrors.push(err11);
							errors++;
						}
					}
				}
				if (data0.timeoutSeconds !== void 0) {
					let data5 = data0.timeoutSeconds;
					if (typeof data5 == "number" && isFinite(data5)) {
						if (data5 > 3600 || isNaN(data5)) {
							const err12 = {
								instancePath: instancePath + "/catalog/timeoutSeconds",
								schemaPath: "#/properties/catalog/properties/timeoutSeconds/maximum",
								keyword: "maximum",
								params: {
									comparison: "<=",
									limit: 3600
								},
								message: "must be <= 3600",
								schema: 3600,
								parentSchema: schema31.properties.catalog.properties.timeoutSeconds,
								data: data5
							};
							if (vErrors === null) vErrors = [err12];
							else vErrors.push(err12);
							errors++;
						}
						if (data5 <= 0 || isNaN(data5)) {
							const err13 = {
								instancePath: instancePath + "/catalog/timeoutSeconds",
								schemaPath: "#/properties/catalog/properties/timeoutSeconds/exclusiveMinimum",
								keyword: "exclusiveMinimum",
								params: {
									comparison: ">",
									limit: 0
								},
								message: "must be > 0",
								schema: 0,
								parentSchema: schema31.properties.catalog.properties.timeoutSeconds,
								data: data5
							};
							if (vErrors === null) vErrors = [err13];
							else vErrors.push(err13);
							errors++;
						}
					} else {
						const err14 = {
							instancePath: instancePath + "/catalog/timeoutSeconds",
							schemaPath: "#/properties/catalog/properties/timeoutSeconds/type",
							keyword: "type",
							params: { type: "number" },
							message: "must be number",
							schema: schema31.properties.catalog.properties.timeoutSeconds.type,
							parentSchema: schema31.properties.catalog.properties.timeoutSeconds,
							data: data5
						};
						if (vErrors === null) vErrors = [err14];
						else vErrors.push(err14);
						errors++;
					}
				}
			} else {
				const err15 = {
					instancePath: instancePath + "/catalog",
					schemaPath: "#/properties/catalog/type",
					keyword: "type",
					params: { type: "object" },
					message: "must be object",
					schema: schema31.properties.catalog.type,
					parentSchema: schema31.properties.catalog,
					data: data0
				};
				if (vErrors === null) vErrors = [err15];
				else vErrors.push(err15);
				errors++;
			}
		}
		if (data.auth !== void 0) {
			let data6 = data.auth;
			if (data6 && typeof data6 == "object" && !Array.isArray(data6)) {
				for (const key2 in data6) if (!(key2 === "issuer" || key2 === "clientId" || key2 === "method" || key2 === "scope" || key2 === "resource" || key2 === "audience" || key2 === "idTokenAudience" || key2 === "subjectTokenType")) {
					const err16 = {
						instancePath: instancePath + "/auth",
						schemaPath: "#/properties/auth/additionalProperties",
						keyword: "additionalProperties",
						params: { additionalProperty: key2 },
						message: "must NOT have additional properties",
						schema: false,
						parentSchema: schema31.properties.auth,
						data: data6
					};
					if (vErrors === null) vErrors = [err16];
					else vErrors.push(err16);
					errors++;
				}
				if (data6.issuer !== void 0) {
					let data7 = data6.issuer;
					if (typeof data7 === "string") {
						if (func2(data7) < 1) {
							const err17 = {
								instancePath: instancePath + "/auth/issuer",
								schemaPath: "#/properties/auth/properties/issuer/minLength",
								keyword: "minLength",
								params: { limit: 1 },
								message: "must NOT have fewer than 1 characters",
								schema: 1,
								parentSchema: schema31.properties.auth.properties.issuer,
								data: data7
							};
							if (vErrors === null) vErrors = [err17];
							else vErrors.push(err17);
							errors++;
						}
					} else {
						const err18 = {
							instancePath: instancePath + "/auth/issuer",
							schemaPath: "#/properties/auth/properties/issuer/type",
							keyword: "type",
							params: { type: "string" },
							message: "must be string",
							schema: schema31.properties.auth.properties.issuer.type,
							parentSchema: schema31.properties.auth.properties.issuer,
							data: data7
						};
						if (vErrors === null) vErrors = [err18];
						else vErrors.push(err18);
						errors++;
					}
				}
				if (data6.clientId !== void 0) {
					let data8 = data6.clientId;
					if (typeof data8 === "string") {
						if (func2(data8) < 1) {
							const err19 = {
								instancePath: instancePath + "/auth/clientId",
								schemaPath: "#/properties/auth/properties/clientId/minLength",
								keyword: "minLength",
								params: { limit: 1 },
								message: "must NOT have fewer than 1 characters",
								schema: 1,
								parentSchema: schema31.properties.auth.properties.clientId,
								data: data8
							};
							if (vErrors === null) vErrors = [err19];
							else vErrors.push(err19);
							errors++;
						}
					} else {
						const err20 = {
							instancePath: instancePath + "/auth/clientId",
							schemaPath: "#/properties/auth/properties/clientId/type",
							keyword: "type",
							params: { type: "string" },
							message: "must be string",
							schema: schema31.properties.auth.properties.clientId.type,
							parentSchema: schema31.properties.auth.properties.clientId,
							data: data8
						};
						if (vErrors === null) vErrors = [err20];
						else vErrors.push(err20);
						errors++;
					}
				}
				if (data6.method !== void 0) {
					let data9 = data6.method;
					if (!(data9 === "client-secret-basic" || data9 === "client-secret-post" || data9 === "private-key-jwt" || data9 === "github-client-assertion" || data9 === "github-token-exchange" || data9 === "device-login")) {
						const err21 = {
							instancePath: instancePath + "/auth/method",
							schemaPath: "#/properties/auth/properties/method/enum",
							keyword: "enum",
							params: { allowedValues: schema31.properties.auth.properties.method.enum },
							message: "must be equal to one of the allowed values",
							schema: schema31.properties.auth.properties.method.enum,
							parentSchema: schema31.properties.auth.properties.method,
							data: data9
						};
						if (vErrors === null) vErrors = [err21];
						else vErrors.push(err21);
						errors++;
					}
				}
				if (data6.scope !== void 0) {
					let data10 = data6.scope;
					if (typeof data10 === "string") {
						if (func2(data10) < 1) {
							const err22 = {
								instancePath: instancePath + "/auth/scope",
								schemaPath: "#/properties/auth/properties/scope/minLength",
								keyword: "minLength",
								params: { limit: 1 },
								message: "must NOT have fewer than 1 characters",
								schema: 1,
								parentSchema: schema31.properties.auth.properties.scope,
								data: data10
							};
							if (vErrors === null) vErrors = [err22];
							else vErrors.push(err22);
							errors++;
						}
					} else {
						const err23 = {
							instancePath: instancePath + "/auth/scope",
							schemaPath: "#/properties/auth/properties/scope/type",
							keyword: "type",
							params: { type: "string" },
							message: "must be string",
							schema: schema31.properties.auth.properties.scope.type,
							parentSchema: schema31.properties.auth.properties.scope,
							data: data10
						};
						if (vErrors === null) vErrors = [err23];
						else vErrors.push(err23);
						errors++;
					}
				}
				if (data6.resource !== void 0) {
					let data11 = data6.resource;
					if (typeof data11 === "string") {
						if (func2(data11) < 1) {
							const err24 = {
								instancePath: instancePath + "/auth/resource",
								schemaPath: "#/properties/auth/properties/resource/minLength",
								keyword: "minLength",
								params: { limit: 1 },
								message: "must NOT have fewer than 1 characters",
								schema: 1,
								parentSchema: schema31.properties.auth.properties.resource,
								data: data11
							};
							if (vErrors === null) vErrors = [err24];
							else vErrors.push(err24);
							errors++;
						}
					} else {
						const err25 = {
							instancePath: instancePath + "/auth/resource",
							schemaPath: "#/properties/auth/properties/resource/type",
							keyword: "type",
							params: { type: "string" },
							message: "must be string",
							schema: schema31.properties.auth.properties.resource.type,
							parentSchema: schema31.properties.auth.properties.resource,
							data: data11
						};
						if (vErrors === null) vErrors = [err25];
						else vErrors.push(err25);
						errors++;
					}
				}
				if (data6.audience !== void 0) {
					let data12 = data6.audience;
					if (typeof data12 === "string") {
						if (func2(data12) < 1) {
							const err26 = {
								instancePath: instancePath + "/auth/audience",
								schemaPath: "#/properties/auth/properties/audience/minLength",
								keyword: "minLength",
								params: { limit: 1 },
								message: "must NOT have fewer than 1 characters",
								schema: 1,
								parentSchema: schema31.properties.auth.properties.audience,
								data: data12
							};
							if (vErrors === null) vErrors = [err26];
							else vErrors.push(err26);
							errors++;
						}
					} else {
						const err27 = {
							instancePath: instancePath + "/auth/audience",
							schemaPath: "#/properties/auth/properties/audience/type",
							keyword: "type",
							params: { type: "string" },
							message: "must be string",
							schema: schema31.properties.auth.properties.audience.type,
							parentSchema: schema31.properties.auth.properties.audience,
							data: data12
						};
						if (vErrors === null) vErrors = [err27];
						else vErrors.push(err27);
						errors++;
					}
				}
				if (data6.idTokenAudience !== void 0) {
					let data13 = data6.idTokenAudience;
					if (typeof data13 === "string") {
						if (func2(data13) < 1) {
							const err28 = {
								instancePath: instancePath + "/auth/idTokenAudience",
								schemaPath: "#/properties/auth/properties/idTokenAudience/minLength",
								keyword: "minLength",
								params: { limit: 1 },
								message: "must NOT have fewer than 1 characters",
								schema: 1,
								parentSchema: schema31.properties.auth.properties.idTokenAudience,
								data: data13
							};
							if (vErrors === null) vErrors = [err28];
							else vErrors.push(err28);
							errors++;
						}
					} else {
						const err29 = {
							instancePath: instancePath + "/auth/idTokenAudience",
							schemaPath: "#/properties/auth/properties/idTokenAudience/type",
							keyword: "type",
							params: { type: "string" },
							message: "must be string",
							schema: schema31.properties.auth.properties.idTokenAudience.type,
							parentSchema: schema31.properties.auth.properties.idTokenAudience,
							data: data13
						};
						if (vErrors === null) vErrors = [err29];
						else vErrors.push(err29);
						errors++;
					}
				}
				if (data6.subjectTokenType !== void 0) {
					let data14 = data6.subjectTokenType;
					if (typeof data14 === "string") {
						if (func2(data14) < 1) {
							const err30 = {
								instancePath: instancePath + "/auth/subjectTokenType",
								schemaPath: "#/properties/auth/properties/subjectTokenType/minLength",
								keyword: "minLength",
								params: { limit: 1 },
								message: "must NOT have fewer than 1 characters",
								schema: 1,
								parentSchema: schema31.properties.auth.properties.subjectTokenType,
								data: data14
							};
							if (vErrors === null) vErrors = [err30];
							else vErrors.push(err30);
							errors++;
						}
					} else {
						const err31 = {
							instancePath: instancePath + "/auth/subjectTokenType",
							schemaPath: "#/properties/auth/properties/subjectTokenType/type",
							keyword: "type",
							params: { type: "string" },
							message: "must be string",
							schema: schema31.properties.auth.properties.subjectTokenType.type,
							parentSchema: schema31.properties.auth.properties.subjectTokenType,
							data: data14
						};
						if (vErrors === null) vErrors = [err31];
						else vErrors.push(err31);
						errors++;
					}
				}
			} else {
				const err32 = {
					instancePath: instancePath + "/auth",
					schemaPath: "#/properties/auth/type",
					keyword: "type",
					params: { type: "object" },
					message: "must be object",
					schema: schema31.properties.auth.type,
					parentSchema: schema31.properties.auth,
					data: data6
				};
				if (vErrors === null) vErrors = [err32];
				else vErrors.push(err32);
				errors++;
			}
		}
		if (data.contracts !== void 0) {
			let data15 = data.contracts;
			if (data15 && typeof data15 == "object" && !Array.isArray(data15)) {
				for (const key3 in data15) if (!(key3 === "include" || key3 === "exclude")) {
					const err33 = {
						instancePath: instancePath + "/contracts",
						schemaPath: "#/properties/contracts/additionalProperties",
						keyword: "additionalProperties",
						params: { additionalProperty: key3 },
						message: "must NOT have additional properties",
						schema: false,
						parentSchema: schema31.properties.contracts,
						data: data15
					};
					if (vErrors === null) vErrors = [err33];
					else vErrors.push(err33);
					errors++;
				}
				if (data15.include !== void 0) {
					let data16 = data15.include;
					if (Array.isArray(data16)) {
						if (data16.length < 1) {
							const err34 = {
								instancePath: instancePath + "/contracts/include",
								schemaPath: "#/properties/contracts/properties/include/minItems",
								keyword: "minItems",
								params: { limit: 1 },
								message: "must NOT have fewer than 1 items",
								schema: 1,
								parentSchema: schema31.properties.contracts.properties.include,
								data: data16
							};
							if (vErrors === null) vErrors = [err34];
							else vErrors.push(err34);
							errors++;
						}
						const len0 = data16.length;
						for (let i0 = 0; i0 < len0; i0++) {
							let data17 = data16[i0];
							if (typeof data17 === "string") {
								if (func2(data17) < 1) {
									const err35 = {
										instancePath: instancePath + "/contracts/include/" + i0,
										schemaPath: "#/properties/contracts/properties/include/items/minLength",
										keyword: "minLength",
										params: { limit: 1 },
										message: "must NOT have fewer than 1 characters",
										schema: 1,
										parentSchema: schema31.properties.contracts.properties.include.items,
										data: data17
									};
									if (vErrors === null) vErrors = [err35];
									else vErrors.push(err35);
									errors++;
								}
							} else {
								const err36 = {
									instancePath: instancePath + "/contracts/include/" + i0,
									schemaPath: "#/properties/contracts/properties/include/items/type",
									keyword: "type",
									params: { type: "string" },
									message: "must be string",
									schema: schema31.properties.contracts.properties.include.items.type,
									parentSchema: schema31.properties.contracts.properties.include.items,
									data: data17
								};
								if (vErrors === null) vErrors = [err36];
								else vErrors.push(err36);
								errors++;
							}
						}
					} else {
						const err37 = {
							instancePath: instancePath + "/contracts/include",
							schemaPath: "#/properties/contracts/properties/include/type",
							keyword: "type",
							params: { type: "array" },
							message: "must be array",
							schema: schema31.properties.contracts.properties.include.type,
							parentSchema: schema31.properties.contracts.properties.include,
							data: data16
						};
						if (vErrors === null) vErrors = [err37];
						else vErrors.push(err37);
						errors++;
					}
				}
				if (data15.exclude !== void 0) {
					let data18 = data15.exclude;
					if (Array.isArray(data18)) {
						const len1 = data18.length;
						for (let i1 = 0; i1 < len1; i1++) {
							let data19 = data18[i1];
							if (typeof data19 === "string") {
								if (func2(data19) < 1) {
									const err38 = {
										instancePath: instancePath + "/contracts/exclude/" + i1,
										schemaPath: "#/properties/contracts/properties/exclude/items/minLength",
										keyword: "minLength",
										params: { limit: 1 },
										message: "must NOT have fewer than 1 characters",
										schema: 1,
										parentSchema: schema31.properties.contracts.properties.exclude.items,
										data: data19
									};
									if (vErrors === null) vErrors = [err38];
									else vErrors.push(err38);
									errors++;
								}
							} else {
								const err39 = {
									instancePath: instancePath + "/contracts/exclude/" + i1,
									schemaPath: "#/properties/contracts/properties/exclude/items/type",
									keyword: "type",
									params: { type: "string" },
									message: "must be string",
									schema: schema31.properties.contracts.properties.exclude.items.type,
									parentSchema: schema31.properties.contracts.properties.exclude.items,
									data: data19
								};
								if (vErrors === null) vErrors = [err39];
								else vErrors.push(err39);
								errors++;
							}
						}
					} else {
						const err40 = {
							instancePath: instancePath + "/contracts/exclude",
							schemaPath: "#/properties/contracts/properties/exclude/type",
							keyword: "type",
							params: { type: "array" },
							message: "must be array",
							schema: schema31.properties.contracts.properties.exclude.type,
							parentSchema: schema31.properties.contracts.properties.exclude,
							data: data18
						};
						if (vErrors === null) vErrors = [err40];
						else vErrors.push(err40);
						errors++;
					}
				}
			} else {
				const err41 = {
					instancePath: instancePath + "/contracts",
					schemaPath: "#/properties/contracts/type",
					keyword: "type",
					params: { type: "object" },
					message: "must be object",
					schema: schema31.properties.contracts.type,
					parentSchema: schema31.properties.contracts,
					data: data15
				};
				if (vErrors === null) vErrors = [err41];
				else vErrors.push(err41);
				errors++;
			}
		}
		if (data.scope !== void 0) {
			let data20 = data.scope;
			if (Array.isArray(data20)) {
				const len2 = data20.length;
				for (let i2 = 0; i2 < len2; i2++) {
					let data21 = data20[i2];
					if (typeof data21 === "string") {
						if (func2(data21) < 1) {
							const err42 = {
								instancePath: instancePath + "/scope/" + i2,
								schemaPath: "#/properties/scope/items/minLength",
								keyword: "minLength",
								params: { limit: 1 },
								message: "must NOT have fewer than 1 characters",
								schema: 1,
								parentSchema: schema31.properties.scope.items,
								data: data21
							};
							if (vErrors === null) vErrors = [err42];
							else vErrors.push(err42);
							errors++;
						}
					} else {
						const err43 = {
							instancePath: instancePath + "/scope/" + i2,
							schemaPath: "#/properties/scope/items/type",
							keyword: "type",
							params: { type: "string" },
							message: "must be string",
							schema: schema31.properties.scope.items.type,
							parentSchema: schema31.properties.scope.items,
							data: data21
						};
						if (vErrors === null) vErrors = [err43];
						else vErrors.push(err43);
						errors++;
					}
				}
			} else {
				const err44 = {
					instancePath: instancePath + "/scope",
					schemaPath: "#/properties/scope/type",
					keyword: "type",
					params: { type: "array" },
					message: "must be array",
					schema: schema31.properties.scope.type,
					parentSchema: schema31.properties.scope,
					data: data20
				};
				if (vErrors === null) vErrors = [err44];
				else vErrors.push(err44);
				errors++;
			}
		}
		if (data.unmanaged !== void 0) {
			let data22 = data.unmanaged;
			if (!(data22 === "ignore" || data22 === "report" || data22 === "deprecate")) {
				const err45 = {
					instancePath: instancePath + "/unmanaged",
					schemaPath: "#/properties/unmanaged/enum",
					keyword: "enum",
					params: { allowedValues: schema31.properties.unmanaged.enum },
					message: "must be equal to one of the allowed values",
					schema: schema31.properties.unmanaged.enum,
					parentSchema: schema31.properties.unmanaged,
					data: data22
				};
				if (vErrors === null) vErrors = [err45];
				else vErrors.push(err45);
				errors++;
			}
		}
		if (data.lifecycle !== void 0) {
			let data23 = data.lifecycle;
			if (data23 && typeof data23 == "object" && !Array.isArray(data23)) {
				for (const key4 in data23) if (!(key4 === "statuses" || key4 === "transitions")) {
					const err46 = {
						instancePath: instancePath + "/lifecycle",
						schemaPath: "#/properties/lifecycle/additionalProperties",
						keyword: "additionalProperties",
						params: { additionalProperty: key4 },
						message: "must NOT have additional properties",
						schema: false,
						parentSchema: schema31.properties.lifecycle,
						data: data23
					};
					if (vErrors === null) vErrors = [err46];
					else vErrors.push(err46);
					errors++;
				}
				if (data23.statuses !== void 0) {
					let data24 = data23.statuses;
					if (Array.isArray(data24)) {
						if (data24.length < 1) {
							const err47 = {
								instancePath: instancePath + "/lifecycle/statuses",
								schemaPath: "#/properties/lifecycle/properties/statuses/minItems",
								keyword: "minItems",
								params: { limit: 1 },
								message: "must NOT have fewer than 1 items",
								schema: 1,
								parentSchema: schema31.properties.lifecycle.properties.statuses,
								data: data24
							};
							if (vErrors === null) vErrors = [err47];
							else vErrors.push(err47);
							errors++;
						}
						const len3 = data24.length;
						for (let i3 = 0; i3 < len3; i3++) {
							let data25 = data24[i3];
							if (typeof data25 === "string") {
								if (func2(data25) < 1) {
									const err48 = {
										instancePath: instancePath + "/lifecycle/statuses/" + i3,
										schemaPath: "#/properties/lifecycle/properties/statuses/items/minLength",
										keyword: "minLength",
										params: { limit: 1 },
										message: "must NOT have fewer than 1 characters",
										schema: 1,
										parentSchema: schema31.properties.lifecycle.properties.statuses.items,
										data: data25
									};
									if (vErrors === null) vErrors = [err48];
									else vErrors.push(err48);
									errors++;
								}
							} else {
								const err49 = {
									instancePath: instancePath + "/lifecycle/statuses/" + i3,
									schemaPath: "#/properties/lifecycle/properties/statuses/items/type",
									keyword: "type",
									params: { type: "string" },
									message: "must be string",
									schema: schema31.properties.lifecycle.properties.statuses.items.type,
									parentSchema: schema31.properties.lifecycle.properties.statuses.items,
									data: data25
								};
								if (vErrors === null) vErrors = [err49];
								else vErrors.push(err49);
								errors++;
							}
						}
						let i4 = data24.length;
						let j0;
						if (i4 > 1) {
							const indices0 = {};
							for (; i4--;) {
								let item0 = data24[i4];
								if (typeof item0 !== "string") continue;
								if (typeof indices0[item0] == "number") {
									j0 = indices0[item0];
									const err50 = {
										instancePath: instancePath + "/lifecycle/statuses",
										schemaPath: "#/properties/lifecycle/properties/statuses/uniqueItems",
										keyword: "uniqueItems",
										params: {
											i: i4,
											j: j0
										},
										message: "must NOT have duplicate items (items ## " + j0 + " and " + i4 + " are identical)",
										schema: true,
										parentSchema: schema31.properties.lifecycle.properties.statuses,
										data: data24
									};
									if (vErrors === null) vErrors = [err50];
									else vErrors.push(err50);
									errors++;
									break;
								}
								indices0[item0] = i4;
							}
						}
					} else {
						const err51 = {
							instancePath: instancePath + "/lifecycle/statuses",
							schemaPath: "#/properties/lifecycle/properties/statuses/type",
							keyword: "type",
							params: { type: "array" },
							message: "must be array",
							schema: schema31.properties.lifecycle.properties.statuses.type,
							parentSchema: schema31.properties.lifecycle.properties.statuses,
							data: data24
						};
						if (vErrors === null) vErrors = [err51];
						else vErrors.push(err51);
						errors++;
					}
				}
				if (data23.transitions !== void 0) {
					let data26 = data23.transitions;
					if (Array.isArray(data26)) {
						const len4 = data26.length;
						for (let i5 = 0; i5 < len4; i5++) {
							let data27 = data26[i5];
							if (data27 && typeof data27 == "object" && !Array.isArray(data27)) {
								if (data27.from === void 0) {
									const err52 = {
										instancePath: instancePath + "/lifecycle/transitions/" + i5,
										schemaPath: "#/properties/lifecycle/properties/transitions/items/required",
										keyword: "required",
										params: { missingProperty: "from" },
										message: "must have required property 'from'",
										schema: schema31.properties.lifecycle.properties.transitions.items.required,
										parentSchema: schema31.properties.lifecycle.properties.transitions.items,
										data: data27
									};
									if (vErrors === null) vErrors = [err52];
									else vErrors.push(err52);
									errors++;
								}
								if (data27.to === void 0) {
									const err53 = {
										instancePath: instancePath + "/lifecycle/transitions/" + i5,
										schemaPath: "#/properties/lifecycle/properties/transitions/items/required",
										keyword: "required",
										params: { missingProperty: "to" },
										message: "must have required property 'to'",
										schema: schema31.properties.lifecycle.properties.transitions.items.required,
										parentSchema: schema31.properties.lifecycle.properties.transitions.items,
										data: data27
									};
									if (vErrors === null) vErrors = [err53];
									else vErrors.push(err53);
									errors++;
								}
								for (const key5 in data27) if (!(key5 === "from" || key5 === "to" || key5 === "rule")) {
									const err54 = {
										instancePath: instancePath + "/lifecycle/transitions/" + i5,
										schemaPath: "#/properties/lifecycle/properties/transitions/items/additionalProperties",
										keyword: "additionalProperties",
										params: { additionalProperty: key5 },
										message: "must NOT have additional properties",
										schema: false,
										parentSchema: schema31.properties.lifecycle.properties.transitions.items,
										data: data27
									};
									if (vErrors === null) vErrors = [err54];
									else vErrors.push(err54);
									errors++;
								}
								if (data27.from !== void 0) {
									let data28 = data27.from;
									if (typeof data28 === "string") {
										if (func2(data28) < 1) {
											const err55 = {
												instancePath: instancePath + "/lifecycle/transitions/" + i5 + "/from",
												schemaPath: "#/properties/lifecycle/properties/transitions/items/properties/from/minLength",
												keyword: "minLength",
												params: { limit: 1 },
												message: "must NOT have fewer than 1 characters",
												schema: 1,
												parentSchema: schema31.properties.lifecycle.properties.transitions.items.properties.from,
												data: data28
											};
											if (vErrors === null) vErrors = [err55];
											else vErrors.push(err55);
											errors++;
										}
									} else {
										const err56 = {
											instancePath: instancePath + "/lifecycle/transitions/" + i5 + "/from",
											schemaPath: "#/properties/lifecycle/properties/transitions/items/properties/from/type",
											keyword: "type",
											params: { type: "string" },
											message: "must be string",
											schema: schema31.properties.lifecycle.properties.transitions.items.properties.from.type,
											parentSchema: schema31.properties.lifecycle.properties.transitions.items.properties.from,
											data: data28
										};
										if (vErrors === null) vErrors = [err56];
										else vErrors.push(err56);
										errors++;
									}
								}
								if (data27.to !== void 0) {
									let data29 = data27.to;
									if (typeof data29 === "string") {
										if (func2(data29) < 1) {
											const err57 = {
												instancePath: instancePath + "/lifecycle/transitions/" + i5 + "/to",
												schemaPath: "#/properties/lifecycle/properties/transitions/items/properties/to/minLength",
												keyword: "minLength",
												params: { limit: 1 },
												message: "must NOT have fewer than 1 characters",
												schema: 1,
												parentSchema: schema31.properties.lifecycle.properties.transitions.items.properties.to,
												data: data29
											};
											if (vErrors === null) vErrors = [err57];
											else vErrors.push(err57);
											errors++;
										}
									} else {
										const err58 = {
											instancePath: instancePath + "/lifecycle/transitions/" + i5 + "/to",
											schemaPath: "#/properties/lifecycle/properties/transitions/items/properties/to/type",
											keyword: "type",
											params: { type: "string" },
											message: "must be string",
											schema: schema31.properties.lifecycle.properties.transitions.items.properties.to.type,
											parentSchema: schema31.properties.lifecycle.properties.transitions.items.properties.to,
											data: data29
										};
										if (vErrors === null) vErrors = [err58];
										else vErrors.push(err58);
										errors++;
									}
								}
								if (data27.rule !== void 0) {
									let data30 = data27.rule;
									if (!(data30 === "allow" || data30 === "warn" || data30 === "block")) {
										const err59 = {
											instancePath: instancePath + "/lifecycle/transitions/" + i5 + "/rule",
											schemaPath: "#/properties/lifecycle/properties/transitions/items/properties/rule/enum",
											keyword: "enum",
											params: { allowedValues: schema31.properties.lifecycle.properties.transitions.items.properties.rule.enum },
											message: "must be equal to one of the allowed values",
											schema: schema31.properties.lifecycle.properties.transitions.items.properties.rule.enum,
											parentSchema: schema31.properties.lifecycle.properties.transitions.items.properties.rule,
											data: data30
										};
										if (vErrors === null) vErrors = [err59];
										else vErrors.push(err59);
										errors++;
									}
								}
							} else {
								const err60 = {
									instancePath: instancePath + "/lifecycle/transitions/" + i5,
									schemaPath: "#/properties/lifecycle/properties/transitions/items/type",
									keyword: "type",
									params: { type: "object" },
									message: "must be object",
									schema: schema31.properties.lifecycle.properties.transitions.items.type,
									parentSchema: schema31.properties.lifecycle.properties.transitions.items,
									data: data27
								};
								if (vErrors === null) vErrors = [err60];
								else vErrors.push(err60);
								errors++;
							}
						}
					} else {
						const err61 = {
							instancePath: instancePath + "/lifecycle/transitions",
							schemaPath: "#/properties/lifecycle/properties/transitions/type",
							keyword: "type",
							params: { type: "array" },
							message: "must be array",
							schema: schema31.properties.lifecycle.properties.transitions.type,
							parentSchema: schema31.properties.lifecycle.properties.transitions,
							data: data26
						};
						if (vErrors === null) vErrors = [err61];
						else vErrors.push(err61);
						errors++;
					}
				}
			} else {
				const err62 = {
					instancePath: instancePath + "/lifecycle",
					schemaPath: "#/properties/lifecycle/type",
					keyword: "type",
					params: { type: "object" },
					message: "must be object",
					schema: schema31.properties.lifecycle.type,
					parentSchema: schema31.properties.lifecycle,
					data: data23
				};
				if (vErrors === null) vErrors = [err62];
				else vErrors.push(err62);
				errors++;
			}
		}
		if (data.compatibility !== void 0) {
			let data31 = data.compatibility;
			if (data31 && typeof data31 == "object" && !Array.isArray(data31)) {
				for (const key6 in data31) if (!(key6 === "mode" || key6 === "draft" || key6 === "active" || key6 === "deprecated" || key6 === "widenings")) {
					let data32 = data31[key6];
					if (!(data32 === "off" || data32 === "warn" || data32 === "error")) {
						const err63 = {
							instancePath: instancePath + "/compatibility/" + key6.replace(/~/g, "~0").replace(/\//g, "~1"),
							schemaPath: "#/properties/compatibility/additionalProperties/enum",
							keyword: "enum",
							params: { allowedValues: schema31.properties.compatibility.additionalProperties.enum },
							message: "must be equal to one of the allowed values",
							schema: schema31.properties.compatibility.additionalProperties.enum,
							parentSchema: schema31.properties.compatibility.additionalProperties,
							data: data32
						};
						if (vErrors === null) vErrors = [err63];
						else vErrors.push(err63);
						errors++;
					}
				}
				if (data31.mode !== void 0) {
					let data33 = data31.mode;
					if (!(data33 === "forward" || data33 === "backward" || data33 === "full" || data33 === "none")) {
						const err64 = {
							instancePath: instancePath + "/compatibility/mode",
							schemaPath: "#/properties/compatibility/properties/mode/enum",
							keyword: "enum",
							params: { allowedValues: schema31.properties.compatibility.properties.mode.enum },
							message: "must be equal to one of the allowed values",
							schema: schema31.properties.compatibility.properties.mode.enum,
							parentSchema: schema31.properties.compatibility.properties.mode,
							data: data33
						};
						if (vErrors === null) vErrors = [err64];
						else vErrors.push(err64);
						errors++;
					}
				}
				if (data31.draft !== void 0) {
					let data34 = data31.draft;
					if (!(data34 === "off" || data34 === "warn" || data34 === "error")) {
						const err65 = {
							instancePath: instancePath + "/compatibility/draft",
							schemaPath: "#/properties/compatibility/properties/draft/enum",
							keyword: "enum",
							params: { allowedValues: schema31.properties.compatibility.properties.draft.enum },
							message: "must be equal to one of the allowed values",
							schema: schema31.properties.compatibility.properties.draft.enum,
							parentSchema: schema31.properties.compatibility.properties.draft,
							data: data34
						};
						if (vErrors === null) vErrors = [err65];
						else vErrors.push(err65);
						errors++;
					}
				}
				if (data31.active !== void 0) {
					let data35 = data31.active;
					if (!(data35 === "off" || data35 === "warn" || data35 === "error")) {
						const err66 = {
							instancePath: instancePath + "/compatibility/active",
							schemaPath: "#/properties/compatibility/properties/active/enum",
							keyword: "enum",
							params: { allowedValues: schema31.properties.compatibility.properties.active.enum },
							message: "must be equal to one of the allowed values",
							schema: schema31.properties.compatibility.properties.active.enum,
							parentSchema: schema31.properties.compatibility.properties.active,
							data: data35
						};
						if (vErrors === null) vErrors = [err66];
						else vErrors.push(err66);
						errors++;
					}
				}
				if (data31.deprecated !== void 0) {
					let data36 = data31.deprecated;
					if (!(data36 === "off" || data36 === "warn" || data36 === "error")) {
						const err67 = {
							instancePath: instancePath + "/compatibility/deprecated",
							schemaPath: "#/properties/compatibility/properties/deprecated/enum",
							keyword: "enum",
							params: { allowedValues: schema31.properties.compatibility.properties.deprecated.enum },
							message: "must be equal to one of the allowed values",
							schema: schema31.properties.compatibility.properties.deprecated.enum,
							parentSchema: schema31.properties.compatibility.properties.deprecated,
							data: data36
						};
						if (vErrors === null) vErrors = [err67];
						else vErrors.push(err67);
						errors++;
					}
				}
				if (data31.widenings !== void 0) {
					let data37 = data31.widenings;
					if (Array.isArray(data37)) {
						const len5 = data37.length;
						for (let i6 = 0; i6 < len5; i6++) {
							let data38 = data37[i6];
							if (Array.isArray(data38)) {
								if (data38.length < 2) {
									const err68 = {
										instancePath: instancePath + "/compatibility/widenings/" + i6,
										schemaPath: "#/properties/compatibility/properties/widenings/items/minItems",
										keyword: "minItems",
										params: { limit: 2 },
										message: "must NOT have fewer than 2 items",
										schema: 2,
										parentSchema: schema31.properties.compatibility.properties.widenings.items,
										data: data38
									};
									if (vErrors === null) vErrors = [err68];
									else vErrors.push(err68);
									errors++;
								}
								const len6 = data38.length;
								for (let i7 = 0; i7 < len6; i7++) {
									let data39 = data38[i7];
									if (typeof data39 === "string") {
										if (func2(data39) < 1) {
											const err69 = {
												instancePath: instancePath + "/compatibility/widenings/" + i6 + "/" + i7,
												schemaPath: "#/properties/compatibility/properties/widenings/items/items/minLength",
												keyword: "minLength",
												params: { limit: 1 },
												message: "must NOT have fewer than 1 characters",
												schema: 1,
												parentSchema: schema31.properties.compatibility.properties.widenings.items.items,
												data: data39
											};
											if (vErrors === null) vErrors = [err69];
											else vErrors.push(err69);
											errors++;
										}
									} else {
										const err70 = {
											instancePath: instancePath + "/compatibility/widenings/" + i6 + "/" + i7,
											schemaPath: "#/properties/compatibility/properties/widenings/items/items/type",
											keyword: "type",
											params: { type: "string" },
											message: "must be string",
											schema: schema31.properties.compatibility.properties.widenings.items.items.type,
											parentSchema: schema31.properties.compatibility.properties.widenings.items.items,
											data: data39
										};
										if (vErrors === null) vErrors = [err70];
										else vErrors.push(err70);
										errors++;
									}
								}
							} else {
								const err71 = {
									instancePath: instancePath + "/compatibility/widenings/" + i6,
									schemaPath: "#/properties/compatibility/properties/widenings/items/type",
									keyword: "type",
									params: { type: "array" },
									message: "must be array",
									schema: schema31.properties.compatibility.properties.widenings.items.type,
									parentSchema: schema31.properties.compatibility.properties.widenings.items,
									data: data38
								};
								if (vErrors === null) vErrors = [err71];
								else vErrors.push(err71);
								errors++;
							}
						}
					} else {
						const err72 = {
							instancePath: instancePath + "/compatibility/widenings",
							schemaPath: "#/properties/compatibility/properties/widenings/type",
							keyword: "type",
							params: { type: "array" },
							message: "must be array",
							schema: schema31.properties.compatibility.properties.widenings.type,
							parentSchema: schema31.properties.compatibility.properties.widenings,
							data: data37
						};
						if (vErrors === null) vErrors = [err72];
						else vErrors.push(err72);
						errors++;
					}
				}
			} else {
				const err73 = {
					instancePath: instancePath + "/compatibility",
					schemaPath: "#/properties/compatibility/type",
					keyword: "type",
					params: { type: "object" },
					message: "must be object",
					schema: schema31.properties.compatibility.type,
					parentSchema: schema31.properties.compatibility,
					data: data31
				};
				if (vErrors === null) vErrors = [err73];
				else vErrors.push(err73);
				errors++;
			}
		}
		if (data.limits !== void 0) {
			let data40 = data.limits;
			if (data40 && typeof data40 == "object" && !Array.isArray(data40)) {
				for (const key7 in data40) if (!(key7 === "updates" || key7 === "deprecations" || key7 === "from")) {
					const err74 = {
						instancePath: instancePath + "/limits",
						schemaPath: "#/properties/limits/additionalProperties",
						keyword: "additionalProperties",
						params: { additionalProperty: key7 },
						message: "must NOT have additional properties",
						schema: false,
						parentSchema: schema31.properties.limits,
						data: data40
					};
					if (vErrors === null) vErrors = [err74];
					else vErrors.push(err74);
					errors++;
				}
				if (data40.updates !== void 0) {
					let data41 = data40.updates;
					const _errs88 = errors;
					let valid25 = false;
					const _errs89 = errors;
					if (!(typeof data41 == "number" && !(data41 % 1) && !isNaN(data41) && isFinite(data41))) {
						const err75 = {
							instancePath: instancePath + "/limits/updates",
							schemaPath: "#/properties/limits/properties/updates/anyOf/0/type",
							keyword: "type",
							params: { type: "integer" },
							message: "must be integer",
							schema: schema31.properties.limits.properties.updates.anyOf[0].type,
							parentSchema: schema31.properties.limits.properties.updates.anyOf[0],
							data: data41
						};
						if (vErrors === null) vErrors = [err75];
						else vErrors.push(err75);
						errors++;
					}
					if (typeof data41 == "number" && isFinite(data41)) {
						if (data41 < 0 || isNaN(data41)) {
							const err76 = {
								instancePath: instancePath + "/limits/updates",
								schemaPath: "#/properties/limits/properties/updates/anyOf/0/minimum",
								keyword: "minimum",
								params: {
									comparison: ">=",
									limit: 0
								},
								message: "must be >= 0",
								schema: 0,
								parentSchema: schema31.properties.limits.properties.updates.anyOf[0],
								data: data41
							};
							if (vErrors === null) vErrors = [err76];
							else vErrors.push(err76);
							errors++;
						}
					}
					var _valid1 = _errs89 === errors;
					valid25 = valid25 || _valid1;
					const _errs91 = errors;
					if (typeof data41 === "string") {
						if (!pattern4.test(data41)) {
							const err77 = {
								instancePath: instancePath + "/limits/updates",
								schemaPath: "#/properties/limits/properties/updates/anyOf/1/pattern",
								keyword: "pattern",
								params: { pattern: "^\\d{1,3}(\\.\\d+)?%$" },
								message: "must match pattern \"^\\d{1,3}(\\.\\d+)?%$\"",
								schema: "^\\d{1,3}(\\.\\d+)?%$",
								parentSchema: schema31.properties.limits.properties.updates.anyOf[1],
								data: data41
							};
							if (vErrors === null) vErrors = [err77];
							else vErrors.push(err77);
							errors++;
						}
					} else {
						const err78 = {
							instancePath: instancePath + "/limits/updates",
							schemaPath: "#/properties/limits/properties/updates/anyOf/1/type",
							keyword: "type",
							params: { type: "string" },
							message: "must be string",
							schema: schema31.properties.limits.properties.updates.anyOf[1].type,
							parentSchema: schema31.properties.limits.properties.updates.anyOf[1],
							data: data41
						};
						if (vErrors === null) vErrors = [err78];
						else vErrors.push(err78);
						errors++;
					}
					var _valid1 = _errs91 === errors;
					valid25 = valid25 || _valid1;
					if (!valid25) {
						const err79 = {
							instancePath: instancePath + "/limits/updates",
							schemaPath: "#/properties/limits/properties/updates/anyOf",
							keyword: "anyOf",
							params: {},
							message: "must match a schema in anyOf",
							schema: schema31.properties.limits.properties.updates.anyOf,
							parentSchema: schema31.properties.limits.properties.updates,
							data: data41
						};
						if (vErrors === null) vErrors = [err79];
						else vErrors.push(err79);
						errors++;
					} else {
						errors = _errs88;
						if (vErrors !== null) {
							if (_errs88) vErrors.length = _errs88;
							else vErrors = null;
						}
					}
				}
				if (data40.deprecations !== void 0) {
					let data42 = data40.deprecations;
					const _errs95 = errors;
					let valid26 = false;
					const _errs96 = errors;
					if (!(typeof data42 == "number" && !(data42 % 1) && !isNaN(data42) && isFinite(data42))) {
						const err80 = {
							instancePath: instancePath + "/limits/deprecations",
							schemaPath: "#/properties/limits/properties/deprecations/anyOf/0/type",
							keyword: "type",
							params: { type: "integer" },
							message: "must be integer",
							schema: schema31.properties.limits.properties.deprecations.anyOf[0].type,
							parentSchema: schema31.properties.limits.properties.deprecations.anyOf[0],
							data: data42
						};
						if (vErrors === null) vErrors = [err80];
						else vErrors.push(err80);
						errors++;
					}
					if (typeof data42 == "number" && isFinite(data42)) {
						if (data42 < 0 || isNaN(data42)) {
							const err81 = {
								instancePath: instancePath + "/limits/deprecations",
								schemaPath: "#/properties/limits/properties/deprecations/anyOf/0/minimum",
								keyword: "minimum",
								params: {
									comparison: ">=",
									limit: 0
								},
								message: "must be >= 0",
								schema: 0,
								parentSchema: schema31.properties.limits.properties.deprecations.anyOf[0],
								data: data42
							};
							if (vErrors === null) vErrors = [err81];
							else vErrors.push(err81);
							errors++;
						}
					}
					var _valid2 = _errs96 === errors;
					valid26 = valid26 || _valid2;
					const _errs98 = errors;
					if (typeof data42 === "string") {
						if (!pattern4.test(data42)) {
							const err82 = {
								instancePath: instancePath + "/limits/deprecations",
								schemaPath: "#/properties/limits/properties/deprecations/anyOf/1/pattern",
								keyword: "pattern",
								params: { pattern: "^\\d{1,3}(\\.\\d+)?%$" },
								message: "must match pattern \"^\\d{1,3}(\\.\\d+)?%$\"",
								schema: "^\\d{1,3}(\\.\\d+)?%$",
								parentSchema: schema31.properties.limits.properties.deprecations.anyOf[1],
								data: data42
							};
							if (vErrors === null) vErrors = [err82];
							else vErrors.push(err82);
							errors++;
						}
					} else {
						const err83 = {
							instancePath: instancePath + "/limits/deprecations",
							schemaPath: "#/properties/limits/properties/deprecations/anyOf/1/type",
							keyword: "type",
							params: { type: "string" },
							message: "must be string",
							schema: schema31.properties.limits.properties.deprecations.anyOf[1].type,
							parentSchema: schema31.properties.limits.properties.deprecations.anyOf[1],
							data: data42
						};
						if (vErrors === null) vErrors = [err83];
						else vErrors.push(err83);
						errors++;
					}
					var _valid2 = _errs98 === errors;
					valid26 = valid26 || _valid2;
					if (!valid26) {
						const err84 = {
							instancePath: instancePath + "/limits/deprecations",
							schemaPath: "#/properties/limits/properties/deprecations/anyOf",
							keyword: "anyOf",
							params: {},
							message: "must match a schema in anyOf",
							schema: schema31.properties.limits.properties.deprecations.anyOf,
							parentSchema: schema31.properties.limits.properties.deprecations,
							data: data42
						};
						if (vErrors === null) vErrors = [err84];
						else vErrors.push(err84);
						errors++;
					} else {
						errors = _errs95;
						if (vErrors !== null) {
							if (_errs95) vErrors.length = _errs95;
							else vErrors = null;
						}
					}
				}
				if (data40.from !== void 0) {
					let data43 = data40.from;
					if (!(typeof data43 == "number" && !(data43 % 1) && !isNaN(data43) && isFinite(data43))) {
						const err85 = {
							instancePath: instancePath + "/limits/from",
							schemaPath: "#/properties/limits/properties/from/type",
							keyword: "type",
							params: { type: "integer" },
							message: "must be integer",
							schema: schema31.properties.limits.properties.from.type,
							parentSchema: schema31.properties.limits.properties.from,
							data: data43
						};
						if (vErrors === null) vErrors = [err85];
						else vErrors.push(err85);
						errors++;
					}
					if (typeof data43 == "number" && isFinite(data43)) {
						if (data43 < 0 || isNaN(data43)) {
							const err86 = {
								instancePath: instancePath + "/limits/from",
								schemaPath: "#/properties/limits/properties/from/minimum",
								keyword: "minimum",
								params: {
									comparison: ">=",
									limit: 0
								},
								message: "must be >= 0",
								schema: 0,
								parentSchema: schema31.properties.limits.properties.from,
								data: data43
							};
							if (vErrors === null) vErrors = [err86];
							else vErrors.push(err86);
							errors++;
						}
					}
				}
			} else {
				const err87 = {
					instancePath: instancePath + "/limits",
					schemaPath: "#/properties/limits/type",
					keyword: "type",
					params: { type: "object" },
					message: "must be object",
					schema: schema31.properties.limits.type,
					parentSchema: schema31.properties.limits,
					data: data40
				};
				if (vErrors === null) vErrors = [err87];
				else vErrors.push(err87);
				errors++;
			}
		}
		if (data.protected !== void 0) {
			let data44 = data.protected;
			if (Array.isArray(data44)) {
				const len7 = data44.length;
				for (let i8 = 0; i8 < len7; i8++) {
					let data45 = data44[i8];
					if (typeof data45 === "string") {
						if (func2(data45) < 1) {
							const err88 = {
								instancePath: instancePath + "/protected/" + i8,
								schemaPath: "#/properties/protected/items/minLength",
								keyword: "minLength",
								params: { limit: 1 },
								message: "must NOT have fewer than 1 characters",
								schema: 1,
								parentSchema: schema31.properties.protected.items,
								data: data45
							};
							if (vErrors === null) vErrors = [err88];
							else vErrors.push(err88);
							errors++;
						}
					} else {
						const err89 = {
							instancePath: instancePath + "/protected/" + i8,
							schemaPath: "#/properties/protected/items/type",
							keyword: "type",
							params: { type: "string" },
							message: "must be string",
							schema: schema31.properties.protected.items.type,
							parentSchema: schema31.properties.protected.items,
							data: data45
						};
						if (vErrors === null) vErrors = [err89];
						else vErrors.push(err89);
						errors++;
					}
				}
			} else {
				const err90 = {
					instancePath: instancePath + "/protected",
					schemaPath: "#/properties/protected/type",
					keyword: "type",
					params: { type: "array" },
					message: "must be array",
					schema: schema31.properties.protected.type,
					parentSchema: schema31.properties.protected,
					data: data44
				};
				if (vErrors === null) vErrors = [err90];
				else vErrors.push(err90);
				errors++;
			}
		}
		if (data.allow !== void 0) {
			let data46 = data.allow;
			if (Array.isArray(data46)) {
				const len8 = data46.length;
				for (let i9 = 0; i9 < len8; i9++) {
					let data47 = data46[i9];
					if (data47 && typeof data47 == "object" && !Array.isArray(data47)) {
						if (data47.contract === void 0) {
							const err91 = {
								instancePath: instancePath + "/allow/" + i9,
								schemaPath: "#/properties/allow/items/required",
								keyword: "required",
								params: { missingProperty: "contract" },
								message: "must have required property 'contract'",
								schema: schema31.properties.allow.items.required,
								parentSchema: schema31.properties.allow.items,
								data: data47
							};
							if (vErrors === null) vErrors = [err91];
							else vErrors.push(err91);
							errors++;
						}
						if (data47.rule === void 0) {
							const err92 = {
								instancePath: instancePath + "/allow/" + i9,
								schemaPath: "#/properties/allow/items/required",
								keyword: "required",
								params: { missingProperty: "rule" },
								message: "must have required property 'rule'",
								schema: schema31.properties.allow.items.required,
								parentSchema: schema31.properties.allow.items,
								data: data47
							};
							if (vErrors === null) vErrors = [err92];
							else vErrors.push(err92);
							errors++;
						}
						if (data47.reason === void 0) {
							const err93 = {
								instancePath: instancePath + "/allow/" + i9,
								schemaPath: "#/properties/allow/items/required",
								keyword: "required",
								params: { missingProperty: "reason" },
								message: "must have required property 'reason'",
								schema: schema31.properties.allow.items.required,
								parentSchema: schema31.properties.allow.items,
								data: data47
							};
							if (vErrors === null) vErrors = [err93];
							else vErrors.push(err93);
							errors++;
						}
						for (const key8 in data47) if (!(key8 === "contract" || key8 === "rule" || key8 === "reason" || key8 === "until")) {
							const err94 = {
								instancePath: instancePath + "/allow/" + i9,
								schemaPath: "#/properties/allow/items/additionalProperties",
								keyword: "additionalProperties",
								params: { additionalProperty: key8 },
								message: "must NOT have additional properties",
								schema: false,
								parentSchema: schema31.properties.allow.items,
								data: data47
							};
							if (vErrors === null) vErrors = [err94];
							else vErrors.push(err94);
							errors++;
						}
						if (data47.contract !== void 0) {
							let data48 = data47.contract;
							if (typeof data48 === "string") {
								if (func2(data48) < 1) {
									const err95 = {
										instancePath: instancePath + "/allow/" + i9 + "/contract",
										schemaPath: "#/properties/allow/items/properties/contract/minLength",
										keyword: "minLength",
										params: { limit: 1 },
										message: "must NOT have fewer than 1 characters",
										schema: 1,
										parentSchema: schema31.properties.allow.items.properties.contract,
										data: data48
									};
									if (vErrors === null) vErrors = [err95];
									else vErrors.push(err95);
									errors++;
								}
							} else {
								const err96 = {
									instancePath: instancePath + "/allow/" + i9 + "/contract",
									schemaPath: "#/properties/allow/items/properties/contract/type",
									keyword: "type",
									params: { type: "string" },
									message: "must be string",
									schema: schema31.properties.allow.items.properties.contract.type,
									parentSchema: schema31.properties.allow.items.properties.contract,
									data: data48
								};
								if (vErrors === null) vErrors = [err96];
								else vErrors.push(err96);
								errors++;
							}
						}
						if (data47.rule !== void 0) {
							let data49 = data47.rule;
							if (!(data49 === "column-removed" || data49 === "column-renamed" || data49 === "type-changed" || data49 === "type-narrowed" || data49 === "length-shortened" || data49 === "required-dropped" || data49 === "unique-dropped" || data49 === "sla-worsened" || data49 === "contract-emptied" || data49 === "type-widened" || data49 === "length-extended" || data49 === "semantics-rule-removed" || data49 === "semantics-rule-disabled" || data49 === "owners-emptied" || data49 === "unique-added" || data49 === "column-added" || data49 === "required-added" || data49 === "semantics-rule-added" || data49 === "description-changed" || data49 === "order-changed" || data49 === "tags-changed" || data49 === "other-changed")) {
								const err97 = {
									instancePath: instancePath + "/allow/" + i9 + "/rule",
									schemaPath: "#/properties/allow/items/properties/rule/enum",
									keyword: "enum",
									params: { allowedValues: schema31.properties.allow.items.properties.rule.enum },
									message: "must be equal to one of the allowed values",
									schema: schema31.properties.allow.items.properties.rule.enum,
									parentSchema: schema31.properties.allow.items.properties.rule,
									data: data49
								};
								if (vErrors === null) vErrors = [err97];
								else vErrors.push(err97);
								errors++;
							}
						}
						if (data47.reason !== void 0) {
							let data50 = data47.reason;
							if (typeof data50 === "string") {
								if (func2(data50) < 1) {
									const err98 = {
										instancePath: instancePath + "/allow/" + i9 + "/reason",
										schemaPath: "#/properties/allow/items/properties/reason/minLength",
										keyword: "minLength",
										params: { limit: 1 },
										message: "must NOT have fewer than 1 characters",
										schema: 1,
										parentSchema: schema31.properties.allow.items.properties.reason,
										data: data50
									};
									if (vErrors === null) vErrors = [err98];
									else vErrors.push(err98);
									errors++;
								}
							} else {
								const err99 = {
									instancePath: instancePath + "/allow/" + i9 + "/reason",
									schemaPath: "#/properties/allow/items/properties/reason/type",
									keyword: "type",
									params: { type: "string" },
									message: "must be string",
									schema: schema31.properties.allow.items.properties.reason.type,
									parentSchema: schema31.properties.allow.items.properties.reason,
									data: data50
								};
								if (vErrors === null) vErrors = [err99];
								else vErrors.push(err99);
								errors++;
							}
						}
						if (data47.until !== void 0) {
							let data51 = data47.until;
							if (typeof data51 === "string") {
								if (!pattern6.test(data51)) {
									const err100 = {
										instancePath: instancePath + "/allow/" + i9 + "/until",
										schemaPath: "#/properties/allow/items/properties/until/pattern",
										keyword: "pattern",
										params: { pattern: "^\\d{4}-\\d{2}-\\d{2}$" },
										message: "must match pattern \"^\\d{4}-\\d{2}-\\d{2}$\"",
										schema: "^\\d{4}-\\d{2}-\\d{2}$",
										parentSchema: schema31.properties.allow.items.properties.until,
										data: data51
									};
									if (vErrors === null) vErrors = [err100];
									else vErrors.push(err100);
									errors++;
								}
							} else {
								const err101 = {
									instancePath: instancePath + "/allow/" + i9 + "/until",
									schemaPath: "#/properties/allow/items/properties/until/type",
									keyword: "type",
									params: { type: "string" },
									message: "must be string",
									schema: schema31.properties.allow.items.properties.until.type,
									parentSchema: schema31.properties.allow.items.properties.until,
									data: data51
								};
								if (vErrors === null) vErrors = [err101];
								else vErrors.push(err101);
								errors++;
							}
						}
					} else {
						const err102 = {
							instancePath: instancePath + "/allow/" + i9,
							schemaPath: "#/properties/allow/items/type",
							keyword: "type",
							params: { type: "object" },
							message: "must be object",
							schema: schema31.properties.allow.items.type,
							parentSchema: schema31.properties.allow.items,
							data: data47
						};
						if (vErrors === null) vErrors = [err102];
						else vErrors.push(err102);
						errors++;
					}
				}
			} else {
				const err103 = {
					instancePath: instancePath + "/allow",
					schemaPath: "#/properties/allow/type",
					keyword: "type",
					params: { type: "array" },
					message: "must be array",
					schema: schema31.properties.allow.type,
					parentSchema: schema31.properties.allow,
					data: data46
				};
				if (vErrors === null) vErrors = [err103];
				else vErrors.push(err103);
				errors++;
			}
		}
		if (data.ignore !== void 0) {
			let data52 = data.ignore;
			if (Array.isArray(data52)) {
				const len9 = data52.length;
				for (let i10 = 0; i10 < len9; i10++) {
					let data53 = data52[i10];
					if (typeof data53 === "string") {
						if (!pattern7.test(data53)) {
							const err104 = {
								instancePath: instancePath + "/ignore/" + i10,
								schemaPath: "#/properties/ignore/items/pattern",
								keyword: "pattern",
								params: { pattern: "^/" },
								message: "must match pattern \"^/\"",
								schema: "^/",
								parentSchema: schema31.properties.ignore.items,
								data: data53
							};
							if (vErrors === null) vErrors = [err104];
							else vErrors.push(err104);
							errors++;
						}
					} else {
						const err105 = {
							instancePath: instancePath + "/ignore/" + i10,
							schemaPath: "#/properties/ignore/items/type",
							keyword: "type",
							params: { type: "string" },
							message: "must be string",
							schema: schema31.properties.ignore.items.type,
							parentSchema: schema31.properties.ignore.items,
							data: data53
						};
						if (vErrors === null) vErrors = [err105];
						else vErrors.push(err105);
						errors++;
					}
				}
			} else {
				const err106 = {
					instancePath: instancePath + "/ignore",
					schemaPath: "#/properties/ignore/type",
					keyword: "type",
					params: { type: "array" },
					message: "must be array",
					schema: schema31.properties.ignore.type,
					parentSchema: schema31.properties.ignore,
					data: data52
				};
				if (vErrors === null) vErrors = [err106];
				else vErrors.push(err106);
				errors++;
			}
		}
		if (data.patch !== void 0) {
			let data54 = data.patch;
			if (data54 && typeof data54 == "object" && !Array.isArray(data54)) {
				for (const key9 in data54) if (!(key9 === "operations" || key9 === "moves" || key9 === "unordered" || key9 === "keys")) {
					const err107 = {
						instancePath: instancePath + "/patch",
						schemaPath: "#/properties/patch/additionalProperties",
						keyword: "additionalProperties",
						params: { additionalProperty: key9 },
						message: "must NOT have additional properties",
						schema: false,
						parentSchema: schema31.properties.patch,
						data: data54
					};
					if (vErrors === null) vErrors = [err107];
					else vErrors.push(err107);
					errors++;
				}
				if (data54.operations !== void 0) {
					let data55 = data54.operations;
					if (!(data55 === "rfc6902" || data55 === "documented")) {
						const err108 = {
							instancePath: instancePath + "/patch/operations",
							schemaPath: "#/properties/patch/properties/operations/enum",
							keyword: "enum",
							params: { allowedValues: schema31.properties.patch.properties.operations.enum },
							message: "must be equal to one of the allowed values",
							schema: schema31.properties.patch.properties.operations.enum,
							parentSchema: schema31.properties.patch.properties.operations,
							data: data55
						};
						if (vErrors === null) vErrors = [err108];
						else vErrors.push(err108);
						errors++;
					}
				}
				if (data54.moves !== void 0) {
					let data56 = data54.moves;
					if (typeof data56 !== "boolean") {
						const err109 = {
							instancePath: instancePath + "/patch/moves",
							schemaPath: "#/properties/patch/properties/moves/type",
							keyword: "type",
							params: { type: "boolean" },
							message: "must be boolean",
							schema: schema31.properties.patch.properties.moves.type,
							parentSchema: schema31.properties.patch.properties.moves,
							data: data56
						};
						if (vErrors === null) vErrors = [err109];
						else vErrors.push(err109);
						errors++;
					}
				}
				if (data54.unordered !== void 0) {
					let data57 = data54.unordered;
					if (Array.isArray(data57)) {
						const len10 = data57.length;
						for (let i11 = 0; i11 < len10; i11++) {
							let data58 = data57[i11];
							if (typeof data58 === "string") {
								if (func2(data58) < 1) {
									const err110 = {
										instancePath: instancePath + "/patch/unordered/" + i11,
										schemaPath: "#/properties/patch/properties/unordered/items/minLength",
										keyword: "minLength",
										params: { limit: 1 },
										message: "must NOT have fewer than 1 characters",
										schema: 1,
										parentSchema: schema31.properties.patch.properties.unordered.items,
										data: data58
									};
									if (vErrors === null) vErrors = [err110];
									else vErrors.push(err110);
									errors++;
								}
							} else {
								const err111 = {
									instancePath: instancePath + "/patch/unordered/" + i11,
									schemaPath: "#/properties/patch/properties/unordered/items/type",
									keyword: "type",
									params: { type: "string" },
									message: "must be string",
									schema: schema31.properties.patch.properties.unordered.items.type,
									parentSchema: schema31.properties.patch.properties.unordered.items,
									data: data58
								};
								if (vErrors === null) vErrors = [err111];
								else vErrors.push(err111);
								errors++;
							}
						}
					} else {
						const err112 = {
							instancePath: instancePath + "/patch/unordered",
							schemaPath: "#/properties/patch/properties/unordered/type",
							keyword: "type",
							params: { type: "array" },
							message: "must be array",
							schema: schema31.properties.patch.properties.unordered.type,
							parentSchema: schema31.properties.patch.properties.unordered,
							data: data57
						};
						if (vErrors === null) vErrors = [err112];
						else vErrors.push(err112);
						errors++;
					}
				}
				if (data54.keys !== void 0) {
					let data59 = data54.keys;
					if (data59 && typeof data59 == "object" && !Array.isArray(data59)) for (const key10 in data59) {
						let data60 = data59[key10];
						if (Array.isArray(data60)) {
							if (data60.length < 1) {
								const err113 = {
									instancePath: instancePath + "/patch/keys/" + key10.replace(/~/g, "~0").replace(/\//g, "~1"),
									schemaPath: "#/properties/patch/properties/keys/additionalProperties/minItems",
									keyword: "minItems",
									params: { limit: 1 },
									message: "must NOT have fewer than 1 items",
									schema: 1,
									parentSchema: schema31.properties.patch.properties.keys.additionalProperties,
									data: data60
								};
								if (vErrors === null) vErrors = [err113];
								else vErrors.push(err113);
								errors++;
							}
							const len11 = data60.length;
							for (let i12 = 0; i12 < len11; i12++) {
								let data61 = data60[i12];
								if (typeof data61 === "string") {
									if (func2(data61) < 1) {
										const err114 = {
											instancePath: instancePath + "/patch/keys/" + key10.replace(/~/g, "~0").replace(/\//g, "~1") + "/" + i12,
											schemaPath: "#/properties/patch/properties/keys/additionalProperties/items/minLength",
											keyword: "minLength",
											params: { limit: 1 },
											message: "must NOT have fewer than 1 characters",
											schema: 1,
											parentSchema: schema31.properties.patch.properties.keys.additionalProperties.items,
											data: data61
										};
										if (vErrors === null) vErrors = [err114];
										else vErrors.push(err114);
										errors++;
									}
								} else {
									const err115 = {
										instancePath: instancePath + "/patch/keys/" + key10.replace(/~/g, "~0").replace(/\//g, "~1") + "/" + i12,
										schemaPath: "#/properties/patch/properties/keys/additionalProperties/items/type",
										keyword: "type",
										params: { type: "string" },
										message: "must be string",
										schema: schema31.properties.patch.properties.keys.additionalProperties.items.type,
										parentSchema: schema31.properties.patch.properties.keys.additionalProperties.items,
										data: data61
									};
									if (vErrors === null) vErrors = [err115];
									else vErrors.push(err115);
									errors++;
								}
							}
						} else {
							const err116 = {
								instancePath: instancePath + "/patch/keys/" + key10.replace(/~/g, "~0").replace(/\//g, "~1"),
								schemaPath: "#/properties/patch/properties/keys/additionalProperties/type",
								keyword: "type",
								params: { type: "array" },
								message: "must be array",
								schema: schema31.properties.patch.properties.keys.additionalProperties.type,
								parentSchema: schema31.properties.patch.properties.keys.additionalProperties,
								data: data60
							};
							if (vErrors === null) vErrors = [err116];
							else vErrors.push(err116);
							errors++;
						}
					}
					else {
						const err117 = {
							instancePath: instancePath + "/patch/keys",
							schemaPath: "#/properties/patch/properties/keys/type",
							keyword: "type",
							params: { type: "object" },
							message: "must be object",
							schema: schema31.properties.patch.properties.keys.type,
							parentSchema: schema31.properties.patch.properties.keys,
							data: data59
						};
						if (vErrors === null) vErrors = [err117];
						else vErrors.push(err117);
						errors++;
					}
				}
			} else {
				const err118 = {
					instancePath: instancePath + "/patch",
					schemaPath: "#/properties/patch/type",
					keyword: "type",
					params: { type: "object" },
					message: "must be object",
					schema: schema31.properties.patch.type,
					parentSchema: schema31.properties.patch,
					data: data54
				};
				if (vErrors === null) vErrors = [err118];
				else vErrors.push(err118);
				errors++;
			}
		}
	} else {
		const err119 = {
			instancePath,
			schemaPath: "#/type",
			keyword: "type",
			params: { type: "object" },
			message: "must be object",
			schema: schema31.type,
			parentSchema: schema31,
			data
		};
		if (vErrors === null) vErrors = [err119];
		else vErrors.push(err119);
		errors++;
	}
	validate20.errors = vErrors;
	return errors === 0;
}
validate20.evaluated = {
	"props": true,
	"dynamicProps": false,
	"dynamicItems": false
};
function configProblems(document) {
	if (validate$1(document)) return [];
	return (validate$1.errors ?? []).flatMap(describe);
}
function describe(error) {
	const pointer = parsePointer(error.instancePath) ?? [];
	if (error.schemaPath.includes("/anyOf/")) return [];
	if (error.keyword === "additionalProperties") return [unknownKey(pointer, String(error.params["additionalProperty"]), error)];
	return [{
		code: "invalid-setting",
		message: `${pointer.length === 0 ? "The configuration" : `\`${pointer.join(".")}\``} ${complaint(error)}.`,
		pointer
	}];
}
function complaint({ keyword, params, message, parentSchema }) {
	switch (keyword) {
		case "type": return `must be of type ${String(params["type"])}`;
		case "enum": return `must be one of ${[params["allowedValues"]].flat().join(", ")}`;
		case "anyOf":
		case "pattern": return `must be ${String(parentSchema?.["$comment"] ?? "of another form")}`;
		case "required": return `lacks \`${String(params["missingProperty"])}\``;
		default: return message ?? "does not fit";
	}
}
function unknownKey(parent, key, { parentSchema }) {
	const where = parent.length === 0 ? "the configuration" : `\`${parent.join(".")}\``;
	const properties = parentSchema?.["properties"];
	const known = Object.keys(properties instanceof Object ? properties : {});
	return {
		code: "unknown-key",
		message: `${quote$1(key)} is no key of ${where}.`,
		hint: didYouMean(key, known) ?? `The keys of ${where} are ${known.join(", ")}.`,
		pointer: [...parent, key],
		atKey: true
	};
}
function readConfigFile(folder, name) {
	const read = readText(name, folder);
	if ("problem" in read) throw unusable([read.problem]);
	const yaml = parseYaml(read.text);
	const [document, second] = yaml.documents;
	const { fields, findings } = document ? readDocument(document, read.text, yaml, configProblems) : {
		fields: void 0,
		findings: []
	};
	const all = [
		...yaml.findings,
		...findings,
		...second ? [secondDocument(second)] : []
	];
	if (all.length > 0) throw unusable(all.map((finding) => toDiagnostic(name, yaml.lines, finding)));
	const source = {
		file: name,
		text: read.text,
		index: 0
	};
	const locate = createLocator();
	return {
		settings: fields ?? {},
		locate: (pointer) => locate(source, pointer)
	};
}
function unusable(diagnostics) {
	return new DiagnosticsError("invalid-config", "The configuration cannot be used.", diagnostics);
}
function secondDocument(document) {
	return {
		code: "second-document",
		severity: "error",
		message: "A second document starts here, and the configuration is one.",
		hint: "Remove the `---`.",
		offset: document.range[0]
	};
}
const defaultRules = {
	equivalence: {
		ignore: [],
		serverAdded: [],
		emptyIsAbsent: false
	},
	arrays: { unordered: [
		"owners",
		"reviewers",
		"tags"
	] },
	lifecycle: defaultLifecycle,
	compatibility: defaultCompatibility,
	exceptions: [],
	scope: [],
	unmanaged: { rule: "report" },
	protected: [],
	limits: defaultLimits
};
function resolveRules(file, today) {
	const { settings } = file;
	const problems = [];
	const refuse = (pointer, message, hint) => {
		const source = file.locate(pointer);
		problems.push({
			code: "invalid-setting",
			severity: "error",
			message,
			hint,
			source
		});
	};
	const lifecycle = {
		...defaultRules.lifecycle,
		...settings.lifecycle
	};
	const rules = {
		equivalence: {
			...defaultRules.equivalence,
			ignore: resolveIgnore(settings, refuse)
		},
		arrays: {
			...defaultRules.arrays,
			...settings.patch
		},
		lifecycle,
		compatibility: resolveCompatibility(settings.compatibility, lifecycle, refuse),
		exceptions: resolveExceptions(file, today, refuse),
		scope: (settings.scope ?? []).map(parseNamePattern),
		unmanaged: resolveUnmanaged(file, lifecycle, refuse),
		protected: (settings.protected ?? []).map(parseNamePattern),
		limits: resolveLimits(settings, refuse)
	};
	if (problems.length > 0) throw unusable(problems);
	return rules;
}
function resolveIgnore({ ignore = [] }, refuse) {
	return ignore.flatMap((text, index) => {
		const pattern = parsePattern(text);
		if (pattern) return [pattern];
		refuse(["ignore", String(index)], `${JSON.stringify(text)} is no pointer pattern.`, "It looks like /schema/*/tags: `*` stands for one step, `**` for any number.");
		return [];
	});
}
function resolveCompatibility(settings = {}, { statuses }, refuse) {
	const defaults = defaultRules.compatibility;
	const { mode = defaults.mode, widenings = [], ...levels } = settings;
	const named = new Map(statuses.map((status) => [status.toLowerCase(), status]));
	const configured = Object.entries(levels).flatMap(([key, level]) => {
		const status = named.get(key.toLowerCase());
		if (status !== void 0 && isLevel(level)) return [[status, level]];
		const keys = [...named.keys()];
		refuse(["compatibility", key], `\`compatibility\` has the key ${JSON.stringify(key)}, and the lifecycle no such status.`, didYouMean(key, keys) ?? `The statuses are ${keys.join(", ")}.`);
		return [];
	});
	return {
		mode,
		levels: new Map([...defaults.levels, ...configured]),
		widenings: [...defaults.widenings, ...widenings.map(parseWidening)]
	};
}
function isLevel(value) {
	return value === "off" || value === "warn" || value === "error";
}
function resolveExceptions({ settings: { allow = [] }, locate }, today, refuse) {
	return allow.map(({ contract, until, ...exception }, index) => {
		const pointer = ["allow", String(index)];
		if (until !== void 0 && !isDay(until)) refuse([...pointer, "until"], `${until} is no day.`, "It looks like 2027-01-31.");
		return {
			...exception,
			contract: parseNamePattern(contract),
			...until !== void 0 && { until },
			expired: until !== void 0 && until < today,
			source: locate(pointer)
		};
	});
}
function isDay(text) {
	const day = new Date(`${text}T00:00:00Z`);
	return !Number.isNaN(day.valueOf()) && day.toISOString().startsWith(text);
}
function resolveUnmanaged({ settings: { unmanaged = "report", scope = [] }, locate }, { statuses }, refuse) {
	if (unmanaged !== "deprecate") return { rule: unmanaged };
	const pointer = ["unmanaged"];
	if (scope.length === 0) refuse(pointer, "`unmanaged: deprecate` needs `scope`: without it nothing is known to be yours to deprecate.", "List the names that this repository owns: `scope: [\"warehouse.sales.**\"]`.");
	if (!statuses.includes("Deprecated")) refuse(pointer, `\`unmanaged: deprecate\` needs the status ${deprecated}, and the lifecycle has none.`, `Add it to \`lifecycle.statuses\`, or write \`unmanaged: report\`.`);
	return {
		rule: unmanaged,
		source: locate(pointer)
	};
}
function resolveLimits({ limits = {} }, refuse) {
	const defaults = defaultRules.limits;
	const resolved = limitNames.map((name) => {
		const text = limits[name];
		const limit = text === void 0 ? defaults[name] : parseLimit(text);
		if (limit) return [name, limit];
		refuse(["limits", name], `${text} is more than all contracts.`, "100% is the most.");
		return [name, defaults[name]];
	});
	return {
		...defaults,
		...Object.fromEntries(resolved),
		from: limits.from ?? defaults.from
	};
}
const defaultFile = "contract-sync.yaml";
const misspeltFile = "contract-sync.yml";
const defaultInclude = ["contracts/**/*.{yaml,yml}"];
const mostConcurrency = 256;
const mostTimeoutSeconds = 3600;
const mostPageSize = 1e6;
function resolveConfig(flags, environment, folder, today = currentDay()) {
	const file = loadFile(flags.config, folder);
	const { catalog = {} } = file.settings;
	return {
		...fileConfig(file, today),
		catalogUrl: resolveUrl(flags.catalogUrl, environment["CONTRACT_SYNC_URL"], catalog.url),
		dialect: catalog.dialect ?? "auto",
		pageSize: resolvePageSize(flags.pageSize) ?? catalog.pageSize ?? "auto",
		concurrency: wholeNumber("--concurrency", flags.concurrency, mostConcurrency) ?? catalog.concurrency ?? 8,
		timeoutMs: 1e3 * (seconds("--timeout", flags.timeout) ?? catalog.timeoutSeconds ?? 30)
	};
}
function resolveFileConfig({ config }, folder, today = currentDay()) {
	return fileConfig(loadFile(config, folder), today);
}
function currentDay() {
	return new Date().toISOString().slice(0, 10);
}
function fileConfig(file, today) {
	const { contracts = {}, auth = {} } = file.settings;
	return {
		include: contracts.include ?? defaultInclude,
		exclude: [...contracts.exclude ?? [], defaultFile],
		rules: resolveRules(file, today),
		auth
	};
}
function loadFile(named, folder) {
	if (named !== void 0) return readConfigFile(folder, named);
	if (existsSync(resolve(folder, defaultFile))) return readConfigFile(folder, defaultFile);
	if (existsSync(resolve(folder, misspeltFile))) throw misnamed();
	return noFile;
}
function misnamed() {
	return new ConfigError("misnamed-config", `The configuration is read from ${defaultFile}, and here is ${misspeltFile}.`, { hint: `Rename it, or name it with --config ${misspeltFile}.` });
}
const noFile = {
	settings: {},
	locate: () => ({
		file: defaultFile,
		line: 1,
		column: 1
	})
};
function resolveUrl(...sources) {
	const text = sources.find((source) => source !== void 0 && source !== "");
	if (text === void 0) throw new ConfigError("no-catalog-url", "The catalog URL is not set.", { hint: "Give --catalog-url, set CONTRACT_SYNC_URL, or write catalog.url in contract-sync.yaml." });
	const url = URL.parse(text);
	if (!url) throw new ConfigError("invalid-catalog-url", `The catalog URL ${JSON.stringify(text)} is no URL.`, { hint: "It looks like https://catalog.example.com/api." });
	return url.href.replace(/\/+$/u, "");
}
function resolvePageSize(text) {
	return text === "auto" ? "auto" : wholeNumber("--page-size", text, mostPageSize, " or auto");
}
function wholeNumber(flag, text, most, alternative = "") {
	if (text === void 0) return void 0;
	const value = /^\d+$/u.test(text) ? Number(text) : 0;
	if (value >= 1 && value <= most) return value;
	throw new ConfigError("invalid-flag", `${flag} takes a whole number from 1 to ${most}${alternative}, not ${JSON.stringify(text)}.`);
}
function seconds(flag, text) {
	if (text === void 0) return void 0;
	const value = /^\d+(?:\.\d+)?$/u.test(text) ? Number(text) : 0;
	if (value > 0 && value <= mostTimeoutSeconds) return value;
	throw new ConfigError("invalid-flag", `${flag} takes seconds above 0 and up to ${mostTimeoutSeconds}, not ${JSON.stringify(text)}.`);
}
function readJson(content) {
	const text = textOf(content);
	try {
		return { value: JSON.parse(text) };
	} catch (error) {
		return { fault: content.type?.includes("html") ?? text.trimStart().startsWith("<") ? webPage : malformed(text, error) };
	}
}
function readPage(content) {
	return andThen(readJson(content), parsePage);
}
function parsePage(body) {
	if (!isObject$1(body) || !isArray(body["data"])) return unexpected("a page has no list \"data\"");
	const { data } = body;
	const paging = isObject$1(body["paging"]) ? body["paging"] : {};
	const contracts = data.map(parseLiveContract).filter((contract) => contract !== void 0);
	if (contracts.length < data.length) return unexpected("a listed contract has no id");
	const { total, after = null } = paging;
	if (after !== null && typeof after !== "string") return unexpected("a cursor is not text");
	const ends = after === null || after === "" || data.length === 0;
	return { value: {
		contracts,
		...isCount(total) && { total },
		...!ends && { after }
	} };
}
function isCount(total) {
	return typeof total === "number" && Number.isFinite(total);
}
function readContract(content, id) {
	return andThen(readJson(content), (body) => {
		const contract = parseLiveContract(body);
		return contract?.id === id ? { value: contract } : unexpected(`it is not the contract ${id}`);
	});
}
function readHistory(content) {
	return andThen(readJson(content), parseHistory);
}
function parseHistory(body) {
	if (!isObject$1(body) || !isArray(body["versions"])) return unexpected("a history has no list \"versions\"");
	const versions = body["versions"].map(parseSnapshot).filter((snapshot) => snapshot !== void 0);
	if (versions.length < body["versions"].length) return unexpected("a version is not a contract serialised into a string");
	const { entityType } = body;
	return { value: {
		entityType: typeof entityType === "string" ? entityType : "",
		versions
	} };
}
function parseSnapshot(text) {
	if (typeof text !== "string") return void 0;
	try {
		const snapshot = JSON.parse(text);
		return isObject$1(snapshot) ? snapshot : void 0;
	} catch {
		return;
	}
}
function readObject(content) {
	return andThen(readJson(content), (body) => isObject$1(body) ? { value: body } : unexpected("it is not a JSON object"));
}
function andThen(attempt, next) {
	return "fault" in attempt ? attempt : next(attempt.value);
}
const webPage = {
	code: "not-json",
	message: "A web page came instead of JSON.",
	hint: "Check the catalog URL, which usually ends in /api, and whether a login page or proxy stands in front of it.",
	transient: false,
	mayHaveLanded: true
};
function malformed(text, cause) {
	return {
		code: "malformed-answer",
		message: text === "" ? "The answer is empty." : "The answer is not valid JSON, or was cut short.",
		hint: "Try again later; if it stays so, ask the operators of the catalog, or of a proxy in front of it.",
		transient: true,
		mayHaveLanded: true,
		cause
	};
}
function unexpected(complaint) {
	return { fault: {
		code: "unexpected-answer",
		message: `The answer is not what the interface promises: ${complaint}.`,
		hint: "Check the catalog URL, which usually ends in /api, and the release of the catalog.",
		transient: false,
		mayHaveLanded: true
	} };
}
const small = 100;
const large = 1e3;
function startPageSize(setting) {
	return setting === "auto" ? {
		limit: small,
		settled: false
	} : settled(setting);
}
function constantPageSize(setting) {
	return setting === "auto" ? large : setting;
}
function nextPageSize(size, received, left) {
	if (size.settled) return size;
	if (size.limit === small) return left > small ? {
		limit: large,
		settled: false
	} : settled(small);
	return settled(received < small && left > 0 ? small : size.limit);
}
function smallerPageSize({ limit }) {
	if (limit > large) return settled(large);
	return limit > small ? settled(small) : void 0;
}
function settled(limit) {
	return {
		limit,
		settled: true
	};
}
function incompleteRead({ request, pageSize }, complaint) {
	const fault = {
		code: "incomplete-read",
		message: `The catalog's list of contracts cannot be read whole: ${complaint}.`,
		hint: "Nothing was changed. Run again when the catalog is quiet; if it stays so, its paging is broken: try another --page-size and tell its operators.",
		transient: false,
		mayHaveLanded: false
	};
	return new ApiError(request({ limit: startPageSize(pageSize).limit }), fault, 1);
}
const pageProgram = threadProgram("page-worker", import.meta);
function startPageThread(program, sieve) {
	const worker = startThread(program, sieve);
	if (!worker) return void 0;
	const port = openPort(worker);
	return {
		...port,
		read: async ({ chunks, type }) => {
			const memory = new Set(chunks.filter(ownsItsMemory).map(({ buffer }) => buffer));
			const reply = await port.ask({
				chunks,
				type
			}, [...memory]);
			return "fault" in reply ? reply : { value: JSON.parse(reply.page) };
		}
	};
}
function ownsItsMemory({ byteLength, buffer }) {
	return byteLength === buffer.byteLength;
}
function openPort(worker) {
	const waiting = [];
	let hasEnded = false;
	const end = () => {
		hasEnded = true;
		for (const take of waiting.splice(0)) take({ fault: ended });
	};
	worker.on("message", (reply) => {
		waiting.shift()?.(reply);
		if (waiting.length === 0) worker.unref();
	});
	worker.on("error", end);
	worker.on("exit", end);
	worker.unref();
	return {
		hasEnded: () => hasEnded,
		ask: (content, transfer) => {
			if (hasEnded) return Promise.resolve({ fault: ended });
			worker.postMessage(content, transfer);
			worker.ref();
			return new Promise((resolve) => waiting.push(resolve));
		},
		close: () => void worker.terminate()
	};
}
const ended = {
	code: "malformed-answer",
	message: "The thread that parsed the answer ended over it.",
	transient: true,
	mayHaveLanded: false
};
function passes(sieve, contract) {
	const completed = openmetadata.complete(contract);
	return isWanted(sieve, contract) || completed !== contract && isWanted(sieve, completed);
}
function isWanted({ identities, names }, contract) {
	const { id, fullyQualifiedName, entity } = contract;
	return identities.has(id) || isAmong(identities, fullyQualifiedName) || isAmong(identities, entity?.id) || isAmong(identities, entity?.fullyQualifiedName) || names.length > 0 && matchesName(names, qualifiedNames(contract));
}
function isAmong(identities, identity) {
	return identity !== void 0 && identities.has(identity);
}
var Unsteppable = class extends Error {};
const quote = 34;
const backslash = 92;
const colon = 58;
function skipBlanks(text, start) {
	return isBlank(text[start]) ? skipMoreBlanks(text, start) : start;
}
function skipMoreBlanks(text, start) {
	let at = start;
	while (isBlank(text[at])) at += 1;
	return at;
}
function isBlank(byte = 33) {
	return byte <= 32 && (byte === 32 || byte === 10 || byte === 13 || byte === 9);
}
function stepMembers(text, start, step) {
	return stepItems(text, after(text, start, 123), 125, (name) => {
		const nameEnd = skipPlainName(text, name);
		return step(name, nameEnd, skipColon(text, nameEnd));
	});
}
function stepElements(text, start, step) {
	return stepItems(text, after(text, start, 91), 93, step);
}
function stepItems(text, start, close, step) {
	let at = skipBlanks(text, start);
	if (text[at] === close) return at + 1;
	for (;;) {
		at = skipBlanks(text, step(at));
		if (text[at] === close) return at + 1;
		at = skipBlanks(text, after(text, at, 44));
	}
}
function after(text, at, expected) {
	if (text[at] !== expected) throw new Unsteppable();
	return at + 1;
}
function skipColon(text, start) {
	return skipBlanks(text, after(text, skipBlanks(text, start), colon));
}
function skipPlainName(text, start) {
	const end = skipString(text, start);
	for (let at = start; at < end; at += 1) if (text[at] === backslash) throw new Unsteppable();
	return end;
}
function skipValue(text, start) {
	let depth = 0;
	let at = start;
	for (;;) {
		const close = closeOf(text[at]);
		if (close === 0) at = skipScalar(text, at);
		else {
			if (depth === deepest) throw new Unsteppable();
			depth += 1;
			closes[depth] = close;
			at = skipBlanks(text, at + 1);
			if (text[at] !== close) {
				at = close === 125 ? skipName(text, at) : at;
				continue;
			}
		}
		while (depth > 0) {
			at = skipBlanks(text, at);
			if (text[at] !== closes[depth]) break;
			depth -= 1;
			at += 1;
		}
		if (depth === 0) return at;
		at = skipBlanks(text, after(text, at, 44));
		if (closes[depth] === 125) at = skipName(text, at);
	}
}
const deepest = 100;
const closes = new Uint8Array(101);
function closeOf(byte) {
	if (byte === 123) return 125;
	return byte === 91 ? 93 : 0;
}
function skipName(text, start) {
	return skipColon(text, skipString(text, start));
}
function skipScalar(text, start) {
	return text[start] === quote ? skipString(text, start) : skipWord(text, start);
}
function skipString(text, start) {
	let at = after(text, start, quote);
	while (at < text.length) {
		const byte = text[at] ?? 0;
		at += 1;
		if (byte === quote) return at;
		if (byte === backslash) at = skipEscape(text, at);
		else if (byte < 32) break;
	}
	throw new Unsteppable();
}
function skipEscape(text, start) {
	return simpleEscapes[text[start] ?? 0] === 1 ? start + 1 : skipCodeUnit(text, start);
}
function skipCodeUnit(text, start) {
	const digits = after(text, start, letterU);
	for (let at = digits; at < digits + 4; at += 1) if (hexDigits[text[at] ?? 0] !== 1) throw new Unsteppable();
	return digits + 4;
}
const letterU = 117;
const simpleEscapes = bytesOf("\"\\/bfnrt");
const hexDigits = bytesOf("0123456789abcdefABCDEF");
function bytesOf(characters) {
	const bytes = new Uint8Array(256);
	for (const byte of Buffer.from(characters)) bytes[byte] = 1;
	return bytes;
}
function skipWord(text, start) {
	const name = names$1.find(([first]) => first === text[start]);
	if (!name) return skipNumber(text, start);
	return name.reduce((at, byte) => after(text, at, byte), start);
}
const names$1 = [
	"true",
	"false",
	"null"
].map((name) => [...Buffer.from(name)]);
const minus = 45;
const plus = 43;
const point = 46;
const zero = 48;
const nine = 57;
function skipNumber(text, start) {
	const integer = text[start] === minus ? start + 1 : start;
	let at = text[integer] === zero ? integer + 1 : skipDigits(text, integer);
	if (text[at] === point) at = skipDigits(text, at + 1);
	if (text[at] !== 101 && text[at] !== 69) return at;
	const sign = text[at + 1];
	return skipDigits(text, sign === plus || sign === minus ? at + 2 : at + 1);
}
function skipDigits(text, start) {
	let at = start;
	for (let byte = text[at] ?? 0; byte >= zero && byte <= nine; byte = text[at] ?? 0) at += 1;
	if (at === start) throw new Unsteppable();
	return at;
}
function createSkimmer(members) {
	const names = members.map(nameInJson);
	const excerpt = createExcerpt();
	return (page) => {
		excerpt.begin(page);
		try {
			return skim({
				page,
				names,
				excerpt
			});
		} catch (error) {
			if (error instanceof Unsteppable) return void 0;
			throw error;
		}
	};
}
function nameInJson(name) {
	return Buffer.from(JSON.stringify(name));
}
function skim(task) {
	const { page, excerpt } = task;
	const start = skipBlanks(page, 0);
	const contracts = [];
	let copied = start;
	const end = stepMembers(page, start, (name, nameEnd, value) => {
		if (!isName(page, name, nameEnd, data)) return skipValue(page, value);
		if (copied > start) throw new Unsteppable();
		excerpt.copy(start, value);
		copied = skimContracts(task, value, contracts);
		return copied;
	});
	excerpt.copy(copied, end);
	if (skipBlanks(page, end) < page.length) throw new Unsteppable();
	return {
		json: excerpt.text(),
		contract: (index) => page.toString("utf8", ...contracts[index] ?? [])
	};
}
const data = nameInJson("data");
function skimContracts(task, list, contracts) {
	const { page, excerpt } = task;
	excerpt.put(91);
	const end = stepElements(page, list, (start) => {
		if (contracts.length > 0) excerpt.put(44);
		const contractEnd = skimContract(task, start);
		contracts.push([start, contractEnd]);
		return contractEnd;
	});
	excerpt.put(93);
	return end;
}
function skimContract({ page, names, excerpt }, start) {
	let isFirst = true;
	excerpt.put(123);
	const end = stepMembers(page, start, (name, nameEnd, value) => {
		const valueEnd = skipValue(page, value);
		if (!isOneOf(names, page, name, nameEnd)) return valueEnd;
		if (!isFirst) excerpt.put(44);
		isFirst = false;
		excerpt.copy(name, valueEnd);
		return valueEnd;
	});
	excerpt.put(125);
	return end;
}
function isOneOf(names, page, start, end) {
	for (const name of names) if (isName(page, start, end, name)) return true;
	return false;
}
function isName(page, start, end, name) {
	if (end - start !== name.length) return false;
	for (let at = 0; at < name.length; at += 1) if (page[start + at] !== name[at]) return false;
	return true;
}
function createExcerpt() {
	let page = Buffer.alloc(0);
	let room = Buffer.alloc(0);
	let length = 0;
	return {
		begin: (next) => {
			page = next;
			if (room.length < page.length) room = Buffer.allocUnsafe(page.length);
			length = 0;
		},
		copy: (start, end) => void (length += page.copy(room, length, start, end)),
		put: (byte) => {
			room[length] = byte;
			length += 1;
		},
		text: () => room.toString("utf8", 0, length)
	};
}
function createSifter(sieve) {
	const gather = createGatherer();
	const skim = createSkimmer(headMembers);
	return (content) => {
		const skimmed = skim(gather(content));
		const page = skimmed && siftSkimmed(skimmed, sieve);
		if (page) return { value: page };
		const parsed = readPage(content);
		if ("fault" in parsed) return parsed;
		const contracts = parsed.value.contracts.map((contract) => passes(sieve, contract) ? contract : headOf(contract));
		return { value: {
			...parsed.value,
			contracts
		} };
	};
}
function siftSkimmed({ json, contract }, sieve) {
	try {
		const page = parsePage(JSON.parse(json));
		if ("fault" in page) return void 0;
		const contracts = page.value.contracts.map((skimmed, index) => passes(sieve, skimmed) ? parseLiveContract(JSON.parse(contract(index))) : headOf(skimmed));
		return contracts.every((each) => each !== void 0) ? {
			...page.value,
			contracts
		} : void 0;
	} catch (error) {
		if (error instanceof SyntaxError) return void 0;
		throw error;
	}
}
function createGatherer() {
	let room = Buffer.alloc(0);
	return ({ chunks }) => {
		const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
		if (room.length < length) room = Buffer.allocUnsafe(Math.ceil(length * headroom));
		let at = 0;
		for (const chunk of chunks) {
			room.set(chunk, at);
			at += chunk.length;
		}
		return room.subarray(0, length);
	};
}
const headroom = 1.25;
const wholePages = {
	read: (content) => readHere(content),
	expect: () => void 0,
	ahead: () => 1,
	close: () => void 0
};
const longList = 1e4;
const mostWaiting = 1e5;
const weightOfWhole = 20;
function siftPages(sieve, program = usefulProgram()) {
	let thread;
	let sift;
	let ahead = 2;
	const living = () => thread?.hasEnded() ? void 0 : thread;
	return {
		read: async (content) => {
			const page = await (living()?.read(content) ?? readHere(content, sift));
			if (living() && "value" in page) ahead = pagesAhead(page.value);
			return page;
		},
		expect: (contracts) => {
			if (sift || contracts < longList) return;
			sift = createSifter(sieve);
			if (program !== void 0) thread = startPageThread(program, sieve);
		},
		ahead: () => living() ? ahead : 1,
		close: () => thread?.close()
	};
}
function pagesAhead({ contracts }) {
	const whole = contracts.filter(isWhole).length;
	const weight = contracts.length + weightOfWhole * whole;
	return Math.max(1, Math.floor(mostWaiting / weight));
}
function usefulProgram() {
	return availableParallelism() > 1 ? pageProgram : void 0;
}
const turnsToSend = 2;
async function readHere(content, read = readPage) {
	for (let turn = 0; turn < turnsToSend; turn += 1) await setImmediate();
	return read(content);
}
const tailLength = 4096;
const pagingAtEnd = /"paging"\s*:\s*\{[^{}]*?"after"\s*:\s*(?<cursor>"(?:[^"\\]|\\.)*")[^{}]*\}\s*\}\s*$/u;
function peekCursor(chunks) {
	const tail = textOf({ chunks: lastBytes(chunks) });
	const cursor = pagingAtEnd.exec(tail)?.groups?.["cursor"];
	return cursor === void 0 ? void 0 : parseString(cursor);
}
function lastBytes(chunks) {
	const last = [];
	let missing = tailLength;
	for (const chunk of chunks.toReversed()) {
		if (missing <= 0) break;
		last.unshift(chunk.subarray(-missing));
		missing -= chunk.length;
	}
	return last;
}
function parseString(literal) {
	try {
		return String(JSON.parse(literal)) || void 0;
	} catch {
		return;
	}
}
async function* walk(source, leavesOff) {
	const { pages } = source;
	const trail = {
		source,
		ahead: leavesOff ? () => 1 : pages.ahead,
		isLeft: false
	};
	const cursors = new Set();
	let read = 0;
	let asked = ask(source, void 0, startPageSize(source.pageSize));
	try {
		while (asked) {
			const arrival = await asked.arrival;
			if (!leavesOff || read > 0) askAhead(trail, asked, arrival, {
				read,
				distance: 1
			}).catch(() => void 0);
			const page = await arrival.page;
			read += page.contracts.length;
			refuseRepeatedCursor(source, cursors, page.after);
			const left = leftOf(page, read);
			pages.expect(Number.isFinite(left) ? left : read);
			const size = nextPageSize(arrival.size, page.contracts.length, left);
			if (page.after === void 0 || leavesOff?.(Math.ceil(left / size.limit))) asked = void 0;
			else if (asked.next?.after === page.after) asked = asked.next;
			else asked = asked.next = ask(source, page.after, size);
			yield page;
			await setImmediate();
		}
	} finally {
		trail.isLeft = true;
	}
}
function ask(source, after, size) {
	const arrival = fetchPage(source, after, size);
	arrival.catch(() => void 0);
	return {
		after,
		arrival
	};
}
async function fetchPage(source, after, size) {
	const request = source.request({
		limit: size.limit,
		...after !== void 0 && { after }
	});
	try {
		const answer = await source.send(request, (received) => ({ value: received }));
		const cursor = size.settled ? peekCursor(answer.chunks) : void 0;
		const page = source.send(request, source.pages.read, answer);
		page.catch(() => void 0);
		return {
			page,
			cursor,
			size
		};
	} catch (error) {
		const smaller = error instanceof ApiError && error.status === 400 ? smallerPageSize(size) : void 0;
		if (smaller === void 0) throw error;
		return fetchPage(source, after, smaller);
	}
}
async function askAhead(trail, asked, { page, cursor, size }, { read, distance }) {
	if (trail.isLeft || distance > trail.ahead()) return;
	if (cursor !== void 0) asked.next ??= ask(trail.source, cursor, size);
	const parsed = await page;
	if (parsed.after === void 0 || trail.isLeft) return;
	const { length } = parsed.contracts;
	const nextSize = nextPageSize(size, length, leftOf(parsed, read + length));
	const next = asked.next ??= ask(trail.source, parsed.after, nextSize);
	const place = {
		read: read + length,
		distance: distance + 1
	};
	await askAhead(trail, next, await next.arrival, place);
}
function leftOf({ after, total = Infinity }, read) {
	return after === void 0 ? 0 : Math.max(0, total - read);
}
function refuseRepeatedCursor(source, cursors, after) {
	if (after === void 0) return;
	if (cursors.has(after)) throw incompleteRead(source, "it gives the same cursor twice");
	cursors.add(after);
}
async function* completeList(source, leavesOff) {
	const known = new Set();
	if (!(yield* firstPass(source, known, leavesOff))) yield* secondPass(source, known);
}
async function* firstPass(source, known, leavesOff) {
	let rows = 0;
	let total = 0;
	let isLeftOff = false;
	const leaves = leavesOff && ((requestsLeft) => isLeftOff = leavesOff(requestsLeft));
	try {
		for await (const page of walk(source, leaves)) {
			rows += page.contracts.length;
			total = Math.max(total, page.total ?? 0);
			yield pageOf(unknownOf(page.contracts, known), page.total);
			if (rows > known.size) return false;
		}
	} catch (error) {
		if (rows > 0 && isLostPlace(error)) return false;
		throw error;
	}
	return isLeftOff || rows >= total;
}
async function* secondPass(source, known) {
	const digests = new Map();
	let total = 0;
	const pageSize = constantPageSize(source.pageSize);
	for await (const page of walk({
		...source,
		pageSize,
		pages: wholePages
	})) {
		total = page.total ?? total;
		const before = digests.size;
		for (const contract of page.contracts.filter(isWhole)) keepDigest(source, digests, contract);
		if (digests.size === before && page.contracts.length > 0) throw incompleteRead(source, "a page holds only what earlier pages held");
		yield pageOf(unknownOf(page.contracts, known), page.total);
	}
	if (digests.size < total) throw incompleteRead(source, `it says that there are ${total}, and gives ${digests.size}`);
}
function pageOf(contracts, total) {
	return {
		contracts,
		...total !== void 0 && { total }
	};
}
function unknownOf(contracts, known) {
	return contracts.filter(({ id }) => known.size < known.add(id).size);
}
function keepDigest(source, digests, { id, document }) {
	const digest = createHash("sha256").update(canonicalJson(document)).digest("base64");
	if ((digests.get(id) ?? digest) !== digest) throw incompleteRead(source, `it gives contract ${id} twice, with different content`);
	digests.set(id, digest);
}
function isLostPlace(error) {
	return error instanceof ApiError && error.status === 500;
}
async function* listContracts(lister, query, signal) {
	const stopped = new AbortController();
	const stop = signal ? AbortSignal.any([stopped.signal, signal]) : stopped.signal;
	const sourceOf = (asked) => ({
		request: (page) => lister.request(asked, page, stop),
		send: lister.send,
		pages: lister.pages,
		pageSize: lister.pageSize
	});
	try {
		yield* query.entities ? listWanted(sourceOf, query, query.entities) : listAll(sourceOf, query);
	} finally {
		stopped.abort();
		lister.pages.close();
	}
}
async function* listAll(sourceOf, query) {
	for await (const page of completeList(sourceOf(query))) yield {
		...page,
		contracts: page.contracts.filter((contract) => isAsked(contract, query))
	};
}
function isAsked({ entity, entityStatus }, query) {
	return agrees(query.entity, entity?.id) && agrees(query.status, entityStatus);
}
function agrees(asked, actual) {
	return asked === void 0 || actual === void 0 || asked === actual;
}
async function* listWanted(sourceOf, query, entities) {
	const known = new Set();
	for await (const page of pagesOfWanted(sourceOf, query, entities)) {
		const contracts = page.contracts.filter(({ id }) => !known.has(id));
		for (const { id } of contracts) known.add(id);
		yield {
			...page,
			contracts
		};
	}
}
async function* pagesOfWanted(sourceOf, query, entities) {
	let isTargeted = entities.length <= 1;
	const leavesOff = (requestsLeft) => isTargeted = isTargetedCheaper(entities.length, requestsLeft);
	if (!isTargeted) yield* completeList(sourceOf(query), leavesOff);
	if (!isTargeted) return;
	try {
		yield* listEach(sourceOf, query, entities);
	} catch (error) {
		if (!isRefusedFilter(error)) throw error;
		yield* completeList(sourceOf(query));
	}
}
function isRefusedFilter(error) {
	return error instanceof ApiError && (error.status === 400 || error.status === 500);
}
function isTargetedCheaper(entities, requestsLeft) {
	return Number.isFinite(requestsLeft) && entities < requestsLeft;
}
async function* listEach(sourceOf, query, entities) {
	for (const entity of entities) {
		let isFiltered = true;
		for await (const page of completeList(sourceOf({
			...query,
			entity
		}))) {
			isFiltered &&= page.contracts.every((contract) => isAsked(contract, { entity }));
			yield page;
		}
		if (!isFiltered) return;
	}
}
function createReader(connection) {
	const { baseUrl, pageSize } = connection;
	const send = openSender(connection);
	const get = getter(baseUrl);
	const list = (query, page, signal) => ({
		...get("list", `v1/dataContracts?${listParameters(query, page)}`),
		signal
	});
	const lister = {
		request: list,
		send,
		pageSize
	};
	return {
		list: (query = {}, signal) => onlyWhole(listContracts({
			...lister,
			pages: wholePages
		}, query, signal)),
		sift: (query, sieve, signal) => listContracts({
			...lister,
			pages: siftPages(sieve)
		}, query, signal),
		versions: async (id) => send(get("versions", versionsPath(id)), readHistory),
		version: async (id, version) => send(get("version", `${versionsPath(id)}/${segment(formatVersion$1(version))}`), readObject),
		search: async (text, index) => send(get("search", `v1/search/query?${new URLSearchParams({
			q: text,
			index
		}).toString()}`), readJson)
	};
}
async function* onlyWhole(pages) {
	for await (const page of pages) yield {
		...page,
		contracts: page.contracts.filter(isWhole)
	};
}
function createWriter(connection) {
	const send = openSender(connection);
	let type = patchType;
	const request = (id, patch) => ({
		operation: "patch",
		method: "PATCH",
		url: resolve$1(connection.baseUrl, `v1/dataContracts/${segment(id)}`),
		body: {
			type,
			text: JSON.stringify(patch)
		}
	});
	const patch = async (id, operations, lastTry) => {
		const first = {
			...request(id, operations),
			lastTry
		};
		try {
			return await send(first, (answer) => readContract(answer, id));
		} catch (error) {
			if (!isUnsupportedType(error) || first.body?.type === plainType) throw error;
			type = plainType;
			const second = {
				...request(id, operations),
				lastTry
			};
			return send(second, (answer) => readContract(answer, id));
		}
	};
	return { patch };
}
const patchType = "application/json-patch+json";
const plainType = "application/json";
function isUnsupportedType(error) {
	return error instanceof ApiError && error.status === 415;
}
const senders = new WeakMap();
function openSender(connection) {
	checkBaseUrl(connection);
	const transport = {
		...systemTransport,
		...connection.transport
	};
	const send = senders.get(connection) ?? createSender({
		...connection,
		transport
	});
	senders.set(connection, send);
	return send;
}
function getter(baseUrl) {
	return (operation, path) => ({
		operation,
		method: "GET",
		url: resolve$1(baseUrl, path)
	});
}
function resolve$1(baseUrl, path) {
	return new URL(`${baseUrl.href.replace(/\/*$/u, "")}/${path}`);
}
function listParameters(query, { limit, after }) {
	return new URLSearchParams({
		...query.fields?.length && { fields: query.fields.join(",") },
		limit: String(limit),
		...query.include && { include: query.include },
		...query.status && { status: query.status },
		...query.entity && { entity: query.entity },
		...after !== void 0 && { after }
	}).toString();
}
function versionsPath(id) {
	return `v1/dataContracts/${segment(id)}/versions`;
}
function segment(text) {
	if (/^\.{0,2}$/u.test(text)) throw new ConfigError("invalid-id", `"${text}" names no contract.`);
	return encodeURIComponent(text);
}
const version = "0.1.0";
function openSession(config, options) {
	const connection = connectionOf(config, options);
	const { folder, paths, allowEmpty = false, selection, overrides, onRetry } = options;
	return {
		catalogUrl: config.catalogUrl,
		files: {
			root: folder,
			include: paths.length > 0 ? paths : config.include,
			exclude: config.exclude,
			allowEmpty
		},
		reader: createReader(connection),
		rules: config.rules,
		dialect: config.dialect,
		...selection && { selection },
		...overrides && { overrides },
		...onRetry && { onRetry },
		concurrency: config.concurrency,
		openWriter: () => createWriter(connection)
	};
}
function connectionOf({ catalogUrl, pageSize, timeoutMs, concurrency }, { token, allowHttp = false, onRetry, log }) {
	return {
		baseUrl: new URL(catalogUrl),
		token,
		pageSize,
		timeoutMs,
		concurrency,
		version,
		allowHttp,
		...onRetry && { onRetry },
		...log && { log }
	};
}
function readWorkflowRun({ environment }) {
	const read = (name, otherwise) => environment[name] || otherwise;
	const event = readEvent(environment["GITHUB_EVENT_PATH"]);
	const workspace = read("GITHUB_WORKSPACE", process.cwd());
	const shared = {
		eventName: read("GITHUB_EVENT_NAME", ""),
		repository: read("GITHUB_REPOSITORY", ""),
		sha: read("GITHUB_SHA", ""),
		runId: Number(read("GITHUB_RUN_ID", "0")),
		attempt: Number(read("GITHUB_RUN_ATTEMPT", "1")),
		apiUrl: read("GITHUB_API_URL", "https://api.github.com"),
		graphqlUrl: read("GITHUB_GRAPHQL_URL", "https://api.github.com/graphql"),
		serverUrl: read("GITHUB_SERVER_URL", "https://github.com"),
		workspace,
		temporary: read("RUNNER_TEMP", workspace),
		step: read("GITHUB_ACTION", "step").replaceAll(/[^\w-]/gu, "_")
	};
	const pullRequest = pullRequestOf(event, read("GITHUB_ACTOR", ""));
	const queuedPullRequest = queuedPullRequestOf(event);
	return {
		...shared,
		...pullRequest && { pullRequest },
		...queuedPullRequest !== void 0 && { queuedPullRequest }
	};
}
function readEvent(path) {
	if (!path) return {};
	const event = JSON.parse(readFileSync(path, "utf8"));
	return isObject$1(event) ? event : {};
}
function pullRequestOf(event, actor) {
	const pull = member(event, "pull_request");
	const head = member(pull, "head");
	const number = pull["number"];
	const headSha = head["sha"];
	if (typeof number !== "number" || typeof headSha !== "string") return void 0;
	return {
		number,
		headSha,
		untrusted: member(head, "repo")["full_name"] !== member(member(pull, "base"), "repo")["full_name"] || actor === "dependabot[bot]"
	};
}
function queuedPullRequestOf(event) {
	const reference = member(event, "merge_group")["head_ref"];
	const name = typeof reference === "string" ? reference : "";
	const [, number] = /\/pr-(\d+)-[0-9a-f]+$/u.exec(name) ?? [];
	return number === void 0 ? void 0 : Number(number);
}
function member(object, name) {
	const value = object[name];
	return isObject$1(value) ? value : {};
}
var GitHubError = class extends SyncError {
	name = "GitHubError";
	status;
	constructor(status, message, hint) {
		super("github", message, { hint });
		this.status = status;
	}
};
const pageSize = 100;
const mostPages = 300;
async function everyPage(url, fetchPage) {
	const items = [];
	for (let page = 1; page <= mostPages; page += 1) {
		const answer = await fetchPage(`${url}?per_page=${pageSize}&page=${page}`);
		if (!isArray(answer) || answer.length === 0) break;
		items.push(...answer.filter(isObject$1));
		if (answer.length < pageSize) break;
	}
	return items;
}
async function request(access, sent) {
	const { status, ok, text } = await send(access, sent);
	if (!ok) throw refusal$1(status, sent);
	return text === "" ? null : parse(text);
}
async function send({ token, fetch }, { method, url, body }) {
	try {
		const response = await fetch(url, {
			method,
			headers: {
				accept: "application/vnd.github+json",
				authorization: `Bearer ${token}`,
				"user-agent": `contract-sync/${version}`,
				"x-github-api-version": "2022-11-28",
				...body && { "content-type": "application/json" }
			},
			...body && { body: JSON.stringify(body) },
			signal: AbortSignal.timeout(3e4)
		});
		return {
			status: response.status,
			ok: response.ok,
			text: await response.text()
		};
	} catch (cause) {
		throw new SyncError("github", `GitHub cannot be reached at ${new URL(url).host}.`, { cause });
	}
}
function parse(text) {
	try {
		return JSON.parse(text);
	} catch (cause) {
		throw new SyncError("github", "GitHub answered with something that is not JSON.", { cause });
	}
}
function refusal$1(status, { method, url }) {
	const hint = [
		401,
		403,
		404
	].includes(status) ? "Give the job the permissions `pull-requests: write` and `contents: read`." : "Run the job again.";
	const { pathname } = new URL(url);
	return new GitHubError(status, `GitHub answered ${method} ${pathname} with ${status}.`, hint);
}
function createGitHub(access) {
	const { repository, graphqlUrl, apiUrl } = access;
	const base = `${apiUrl}/repos/${repository}`;
	const send = (method, url, body) => request(access, {
		method,
		url,
		...body && { body }
	});
	const all = (url) => everyPage(url, (page) => send("GET", page));
	return {
		login: async () => loginOf(await send("POST", graphqlUrl, { query: "{ viewer { login } }" })),
		comments: async (pull) => (await all(`${base}/issues/${pull}/comments`)).map(toComment),
		createComment: async (pull, body) => toComment(objectOf(await send("POST", `${base}/issues/${pull}/comments`, { body }))),
		updateComment: async (id, body) => {
			await send("PATCH", `${base}/issues/comments/${id}`, { body });
		},
		deleteComment: async (id) => {
			await send("DELETE", `${base}/issues/comments/${id}`);
		},
		pull: async (number) => toPull(objectOf(await send("GET", `${base}/pulls/${number}`))),
		pullMergedAs: async (sha) => {
			const merged = (await all(`${base}/commits/${sha}/pulls`)).find((pull) => pull["merge_commit_sha"] === sha && pull["merged_at"]);
			return merged && toPull(merged);
		},
		changedFiles: async (pull) => (await all(`${base}/pulls/${pull}/files`)).flatMap((file) => [file["filename"], file["previous_filename"]]).filter((name) => typeof name === "string")
	};
}
function objectOf(value) {
	return isObject$1(value) ? value : {};
}
function loginOf(answer) {
	const { login } = objectOf(objectOf(objectOf(answer)["data"])["viewer"]);
	if (typeof login === "string") return login;
	throw new SyncError("github", "GitHub does not say whose token this is.");
}
function toComment(comment) {
	const { id, body } = comment;
	const { login } = objectOf(comment["user"]);
	return {
		id: Number(id),
		login: typeof login === "string" ? login : "",
		body: typeof body === "string" ? body : ""
	};
}
function toPull(pull) {
	const { sha } = objectOf(pull["head"]);
	return {
		number: Number(pull["number"]),
		headSha: typeof sha === "string" ? sha : ""
	};
}
function explainedIdToken(idToken) {
	return async (audience) => {
		try {
			return await idToken(audience);
		} catch (error) {
			throw refusal(error);
		}
	};
}
function refusal(cause) {
	const complaint = (cause instanceof Error ? cause.message : String(cause)).replaceAll(/\s+/gu, " ").replace("Error message: ", "");
	return new IssuerError("issuer-failed", `GitHub gives no ID token (${complaint}).`, {
		hint: "The job needs the permission `id-token: write`.",
		transient: complaint.includes("Error Code : undefined"),
		cause
	});
}
const issuerMethods = [
	"client-secret-basic",
	"client-secret-post",
	"private-key-jwt",
	"github-client-assertion",
	"github-token-exchange",
	"device-login"
];
const commands = [
	"plan",
	"apply",
	"validate"
];
const commentModes = [
	"update",
	"recreate",
	"off"
];
const failures = [
	"errors",
	"warnings",
	"changes"
];
function readInputs({ input }) {
	const read = (name) => input(name) || void 0;
	return {
		command: oneOf(commands, "command", read) ?? "plan",
		catalogUrl: read("catalog-url"),
		auth: readAuth(read),
		config: read("config"),
		paths: (read("paths") ?? "").split(/\r?\n/u).filter((path) => path.trim() !== ""),
		githubToken: read("github-token"),
		comment: oneOf(commentModes, "comment", read) ?? "update",
		expectHash: readHash(read),
		autoApprove: oneOf(["true", "false"], "auto-approve", read) === "true",
		planFile: read("plan-file"),
		workingDirectory: read("working-directory") ?? ".",
		failOn: oneOf(failures, "fail-on", read) ?? "errors"
	};
}
function oneOf(choices, name, read) {
	const text = read(name);
	const choice = choices.find((known) => known === text);
	if (text === void 0 || choice !== void 0) return choice;
	throw new ConfigError("invalid-input", `The input \`${name}\` takes ${choices.join(", ")}, not ${JSON.stringify(text)}.`);
}
function readHash(read) {
	const text = read("expect-hash");
	if (text === void 0 || text === "approved" || /^sha256:[0-9a-f]{64}$/u.test(text)) return text;
	throw new ConfigError("invalid-input", `The input \`expect-hash\` takes a plan hash or approved, not ${JSON.stringify(text)}.`);
}
function readAuth(read) {
	const settings = {
		token: secret("token", read),
		issuer: read("auth-issuer"),
		clientId: read("auth-client-id"),
		method: oneOf(machineMethods, "auth-method", read),
		clientSecret: secret("auth-client-secret", read),
		privateKey: secret("auth-private-key", read),
		scope: read("auth-scope"),
		resource: read("auth-resource"),
		audience: read("auth-audience"),
		idTokenAudience: read("auth-id-token-audience"),
		subjectTokenType: read("auth-subject-token-type")
	};
	return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== void 0));
}
const machineMethods = issuerMethods.filter((method) => method !== "device-login");
function secret(name, read) {
	const value = read(name);
	return value === void 0 ? void 0 : {
		value,
		origin: `the input \`${name}\``
	};
}
function hasCredential({ auth }, { idToken }) {
	if (auth.token) return true;
	if (auth.issuer === void 0) return false;
	return (auth.clientSecret ?? auth.privateKey ?? idToken) !== void 0;
}
const names = {
	error: "error",
	warning: "warning",
	information: "notice"
};
const longestMessage = 4e3;
function annotationLine({ code, severity, message, hint, source }) {
	const text = hint === void 0 ? [message] : [message, hint];
	return commandLine({
		name: names[severity],
		properties: {
			...source && {
				file: sanitizeLine(source.file),
				line: source.line,
				col: source.column
			},
			title: sanitizeLine(code)
		},
		message: text.map(sanitizeLine).join("\n").slice(0, longestMessage)
	});
}
function commandLine({ name, properties = {}, message = "" }) {
	const given = Object.entries(properties).map(([key, value]) => `${key}=${escapeProperty$1(value)}`);
	return `::${name}${given.length > 0 ? ` ${given.join(",")}` : ""}::${escapeMessage(message)}`;
}
function escapeMessage(text) {
	return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}
function escapeProperty$1(value) {
	return escapeMessage(String(value)).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
function logLines(text) {
	return text.split(lineBreak).map(defuse);
}
const lineBreak = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/u;
const weightless = String.raw`\p{C}\p{M}\p{Default_Ignorable_Code_Point}`;
const leadingColons = new RegExp(`^[\\s${weightless}]*:[${weightless}]*:`, "u");
const hashBracket = new RegExp(`#([${weightless}]*)\\[`, "gu");
function defuse(line) {
	const apart = line.replaceAll(hashBracket, "#·$1[");
	return sanitizeLine(leadingColons.test(apart) ? `·${apart}` : apart);
}
function createLog({ print }, { redact }) {
	const text = (lines) => {
		for (const line of logLines(redact(lines))) print(line);
	};
	return {
		text,
		group: (title, lines) => {
			print(commandLine({
				name: "group",
				message: title
			}));
			text(lines.trimEnd());
			print(commandLine({ name: "endgroup" }));
		},
		annotate: (diagnostic) => print(redact(annotationLine(diagnostic)))
	};
}
function openStep(runner, redactor) {
	const inputs = readInputs(runner);
	for (const secret of secretsOf(inputs, runner)) redactor.hide(secret);
	const { githubToken } = inputs;
	const run = readWorkflowRun(runner);
	const folder = resolve(run.workspace, inputs.workingDirectory);
	return {
		runner,
		inputs,
		run,
		redactor,
		log: createLog(runner, redactor),
		...githubToken !== void 0 && { github: createGitHub({
			...run,
			token: githubToken,
			fetch: runner.fetch
		}) },
		folder,
		prefix: relative(run.workspace, folder).replaceAll("\\", "/")
	};
}
function secretsOf({ auth, githubToken }, { environment }) {
	const { token, clientSecret, privateKey } = auth;
	return [
		...[
			token,
			clientSecret,
			privateKey
		].map((secret) => secret?.value),
		githubToken,
		environment["ACTIONS_ID_TOKEN_REQUEST_TOKEN"]
	].filter((secret) => secret !== void 0);
}
function openCatalog({ runner, inputs, folder, redactor, log }) {
	const { catalogUrl, config, paths, auth } = inputs;
	if (catalogUrl === void 0) throw new ConfigError("no-catalog-url", "The input `catalog-url` is not set.", { hint: "It looks like https://catalog.example.com/api; the file contract-sync.yaml is not asked for it here." });
	if (!hasCredential(inputs, runner)) throw new ConfigError("no-token", "There is no token for the catalog.");
	return openSession(resolveConfig({
		catalogUrl,
		...config !== void 0 && { config }
	}, {}, folder), {
		folder,
		paths,
		token: createTokenSource(auth, {
			redactor,
			warn: log.annotate,
			fetch: runner.fetch,
			...runner.idToken && { idToken: explainedIdToken(runner.idToken) }
		}),
		onRetry: log.text
	});
}
async function planNow(session) {
	return inWordsOfInputs(await sync(session));
}
function commentKey({ inputs, prefix }) {
	const subject = [
		inputs.catalogUrl ?? "",
		prefix,
		inputs.config ?? "",
		...inputs.paths
	];
	return createHash("sha256").update(JSON.stringify(subject)).digest("hex").slice(0, 12);
}
function fromRoot({ prefix }, file) {
	return join(prefix, file).replaceAll("\\", "/");
}
async function findApproval(step) {
	const { expectHash } = step.inputs;
	const pull = await findPullRequest(step);
	const inComment = await readApproval(step, pull);
	if (expectHash === void 0 || expectHash === "approved") return inComment;
	const { header } = inComment;
	return {
		...pull && { pull },
		...header && { header },
		reviewed: reviewedAs(expectHash, header, step)
	};
}
const patience = [
	0,
	1e3,
	2e3,
	4e3
];
async function findPullRequest({ github, run, runner }) {
	if (run.pullRequest) return run.pullRequest;
	if (!github) return void 0;
	if (run.queuedPullRequest !== void 0) return github.pull(run.queuedPullRequest);
	for (const delay of patience) {
		if (delay > 0) await runner.sleep(delay);
		const pull = await github.pullMergedAs(run.sha);
		if (pull) return pull;
	}
}
async function readApproval(step, pull) {
	const { github, run } = step;
	if (!github) return { missing: "There is no `github-token` to read the reviewed plan with." };
	if (!pull) return { missing: `No merged pull request made the commit ${run.sha}.` };
	const [comment] = await findComments(github, pull.number, commentKey(step));
	if (!comment) return {
		pull,
		missing: `Pull request ${pull.number} has no comment with a plan.`
	};
	const { header } = comment;
	if (header.head !== pull.headSha) return {
		pull,
		header,
		missing: `The plan of pull request ${pull.number} is of ${header.head}, an earlier commit than its last one.`
	};
	if (header.planHash === void 0) return {
		pull,
		header,
		missing: `Pull request ${pull.number} was left without a plan.`
	};
	return {
		pull,
		header,
		reviewed: reviewedAs(header.planHash, header, step)
	};
}
function reviewedAs(planHash, header, step) {
	const plan = header?.plan && unpackPlan(header.plan, step.inputs.catalogUrl ?? "", planHash);
	return {
		planHash,
		...plan && { plan }
	};
}
async function judge(plan, approval, { session, autoApprove }) {
	if (updates(plan).length === 0) return { plan };
	if ("missing" in approval) return { plan: autoApprove ? plan : notReviewed(plan, approval.missing) };
	const result = await review(plan, approval.reviewed, session);
	const { comparison } = result;
	return {
		plan: inWordsOfInputs(withReview(plan, result)),
		...comparison && { comparison }
	};
}
function notReviewed(plan, reason) {
	const finding = {
		code: "plan-not-reviewed",
		severity: "error",
		message: `${reason} So nobody has reviewed this plan.`,
		hint: "Change contracts by pull requests that show their plan, or set the input `auto-approve` for pushes that nobody reviews."
	};
	return {
		...plan,
		errored: true,
		diagnostics: [...plan.diagnostics, finding]
	};
}
function failureOfPlan({ planHash, diagnostics, summary }) {
	const errors = diagnostics.filter(({ severity }) => severity === "error");
	const unreviewed = errors.find(({ code }) => reviewCodes.has(code));
	if (unreviewed) return {
		reason: "plan-changed",
		message: unreviewed.message
	};
	if (planHash === void 0 || errors.some(({ source }) => source !== void 0)) return {
		reason: "invalid-contracts",
		message: "The contract files have errors."
	};
	return {
		reason: "unsafe-plan",
		message: `The plan must not be applied.${summary.blocked > 0 ? ` ${summary.blocked} blocked.` : ""}`
	};
}
const reviewCodes = new Set(["plan-changed", "plan-not-reviewed"]);
function failureOfError(error) {
	return {
		reason: reasonOf(error),
		message: error.message
	};
}
function reasonOf(error) {
	const { code } = error;
	if (code === "github") return "github";
	if (error instanceof IssuerError || authCodes.has(code)) return "auth";
	if (error instanceof ApiError) return "catalog";
	if (error instanceof ConfigError || code === "invalid-config") return "configuration";
	if (error instanceof DiagnosticsError) return "invalid-contracts";
	return planCodes.has(code) ? "plan-changed" : "catalog";
}
const authCodes = new Set([
	"no-token",
	"invalid-token",
	"token-expired",
	"no-issuer",
	"invalid-issuer",
	"no-client-id",
	"no-secret",
	"invalid-private-key",
	"method-unavailable",
	"unauthorized",
	"forbidden"
]);
const planCodes = new Set([
	"plan-edited",
	"plan-format",
	"not-a-plan",
	"other-catalog"
]);
async function apply(step) {
	const session = openCatalog(step);
	const { planFile, autoApprove } = step.inputs;
	const proposed = planFile === void 0 ? await planNow(session) : openSaved(planFile, session, step);
	const approval = await findApproval(step);
	const { plan, comparison } = await judge(proposed, approval, {
		session,
		autoApprove
	});
	const { outcomes, failure } = await carryOut(plan, session, step);
	return {
		kind: "apply",
		plan,
		outcomes,
		...failure && { failure },
		...comparison && { comparison },
		...approval.pull && { pull: approval.pull },
		...approval.header && { approved: approval.header }
	};
}
async function carryOut(plan, session, { runner }) {
	if (plan.errored) return {
		outcomes: nothingApplied([]),
		failure: failureOfPlan(plan)
	};
	const outcomes = await apply$2({
		...session,
		plan,
		writer: session.openWriter(),
		signal: runner.interruption()
	});
	if (allLanded(outcomes)) return { outcomes };
	return {
		outcomes,
		failure: {
			reason: "apply-failed",
			message: `Not every change landed: ${outcomesVerdict(outcomes)}.`
		}
	};
}
function openSaved(file, { catalogUrl }, { folder }) {
	const plan = openPlan(readPlan(resolve(folder, file), file), file);
	if (plan.catalogUrl === catalogUrl) return plan;
	throw new SyncError("other-catalog", `The plan in ${file} was made for ${plan.catalogUrl}, not for ${catalogUrl}.`, { hint: "Set the input `catalog-url` to the catalog that it was made for, or plan again." });
}
function readPlan(path, file) {
	try {
		return readFileSync(path, "utf8");
	} catch (error) {
		throw new ConfigError("unreadable-plan", `The plan file ${file} cannot be read.`, {
			hint: "The input `plan-file` of an apply names a plan that an earlier step has made.",
			cause: error
		});
	}
}
function outputsOf({ failure, ...result }) {
	const reason = { "failure-reason": failure?.reason ?? "" };
	if (result.kind === "validation") return {
		"has-changes": false,
		...reason
	};
	const { plan } = result;
	const { update, unchanged, missing, unmanaged, blocked, transitions, breaking } = plan.summary;
	const counts = {
		updates: update,
		unchanged,
		missing,
		unmanaged,
		blocked,
		transitions,
		breaking
	};
	return {
		"has-changes": updates(plan).length > 0,
		"plan-hash": plan.planHash,
		...counts,
		...result.kind === "apply" && {
			applied: result.outcomes.summary.applied,
			"not-applied": update - result.outcomes.summary.applied - result.outcomes.summary.unchanged
		},
		...reason
	};
}
function setOutputs(outputs, { setOutput }) {
	for (const [name, value] of Object.entries(outputs)) if (value !== void 0) setOutput(name, value);
}
async function plan(step) {
	const session = openCatalog(step);
	const made = await planNow(session);
	const judged = step.inputs.expectHash === void 0 ? { plan: made } : await judge(made, await findApproval(step), {
		session,
		autoApprove: false
	});
	const failure = failureOf(judged.plan, step.inputs);
	return {
		kind: "plan",
		...judged,
		...failure && { failure }
	};
}
function failureOf(made, { failOn }) {
	if (made.errored) return failureOfPlan(made);
	const changes = updates(made).length;
	switch (failOn) {
		case "errors": return;
		case "warnings": return hasWarnings(made) ? {
			reason: "warnings",
			message: "The plan has warnings, and `fail-on` is warnings."
		} : void 0;
		case "changes": return changes > 0 ? {
			reason: "changes",
			message: `The catalog differs from the files: ${changes} to update.`
		} : void 0;
	}
}
function hasWarnings({ diagnostics, contracts }) {
	const all = [...diagnostics, ...contracts.flatMap(contractProblems)];
	return hasErrors(all) || all.some(({ severity }) => severity === "warning");
}
const mostOfAKind = 10;
function annotationsOf(result) {
	const all = problemsOf(result).toSorted(compareGravity);
	return severities.flatMap((wanted) => {
		const room = wanted === "error" && result.failure ? 9 : mostOfAKind;
		return all.filter(({ severity }) => severity === wanted).slice(0, room);
	});
}
const severities = [
	"error",
	"warning",
	"information"
];
function problemsOf(result) {
	if (result.kind === "validation") return result.validation.diagnostics;
	const { plan } = result;
	const problems = plan.contracts.flatMap(contractProblems).filter(isTold);
	const notices = result.kind === "plan" ? transitionNotices(plan) : [];
	return [
		...plan.diagnostics,
		...problems,
		...notices
	];
}
function transitionNotices(plan) {
	return updates(plan).flatMap((contract) => {
		const { transition, changes } = contract;
		const source = changes.find(({ path }) => path === "/entityStatus")?.source;
		if (!transition || !source) return [];
		const { from, to } = transition;
		return [{
			code: "status-transition",
			severity: "information",
			message: `${contractLabel(contract)}: ${from ?? "no status"} → ${to ?? "no status"}.`,
			source
		}];
	});
}
function renderValidationMarkdown(validation, options) {
	const remarks = validation.diagnostics.map((problem) => ({ problem }));
	return renderReport(validationVerdict(validation), remarks.length > 0 ? [remarksBlock(remarks, placesBelow(options.files))] : [], options);
}
function validationVerdict({ summary }) {
	const { contracts, files, errors, warnings } = summary;
	return [
		`${count(contracts, "contract", "contracts")} in ${count(files, "file", "files")}`,
		...errors > 0 ? [count(errors, "error", "errors")] : [],
		...warnings > 0 ? [count(warnings, "warning", "warnings")] : []
	].join(", ");
}
function renderOutcomesText({ outcomes, summary }, { palette, verbose }) {
	const lines = outcomes.flatMap((outcome) => [...outcomeLines(outcome, palette), ...verbose ? accountLines(outcome, palette) : []]);
	const counts = results.filter((result) => result === "applied" || summary[result] > 0).map((result) => `${summary[result]} ${result}`);
	return `${[
		...lines,
		"",
		`${palette.strong("Apply:")} ${counts.join(", ")}.`
	].join("\n")}\n`;
}
const results = [
	"applied",
	"unchanged",
	"stale",
	"failed",
	"unverified",
	"skipped"
];
function outcomeLines(outcome, palette) {
	const { result, error } = outcome;
	const label = sanitizeLine(outcome.fullyQualifiedName ?? outcome.id);
	return [
		`${symbolOf(result, palette)} ${palette.strong(label)}  ${result}${versions(outcome, palette)}`,
		...error ? [`    ${sanitizeLine(error.message)}`] : [],
		...error?.hint === void 0 ? [] : [`    ${palette.faint(sanitizeLine(error.hint))}`]
	];
}
function symbolOf(result, palette) {
	switch (result) {
		case "applied":
		case "unchanged": return palette.good("✓");
		case "failed": return palette.error("✗");
		case "stale":
		case "unverified":
		case "skipped": return palette.warning("!");
	}
}
function versions(outcome, palette) {
	const { versionBefore, versionAfter, predictedVersions } = outcome;
	if (versionBefore === void 0 || versionAfter === void 0) return "";
	const foretold = predictedVersions ? ` (${predictedVersions.join(" or ")} was expected)` : "";
	const move = `version ${sanitizeLine(versionBefore)} → ${sanitizeLine(versionAfter)}`;
	return `  ${palette.faint(`${move}${sanitizeLine(foretold)}`)}`;
}
function accountLines({ changeDescription }, palette) {
	const updated = changeDescription?.["fieldsUpdated"];
	if (!isArray(updated)) return [];
	return updated.filter(isObject$1).map(({ name = null, oldValue = null, newValue = null }) => {
		const field = typeof name === "string" ? name : JSON.stringify(name);
		const change = `${JSON.stringify(oldValue)} → ${JSON.stringify(newValue)}`;
		return `    ${palette.faint(sanitizeLine(`${field}: ${shortened(change)}`))}`;
	});
}
function shortened(text) {
	return text.length > longestAccount ? `${text.slice(0, longestAccount)}…` : text;
}
const longestAccount = 200;
const same = (text) => text;
const plain = {
	added: same,
	removed: same,
	changed: same,
	faint: same,
	strong: same,
	error: same,
	warning: same,
	good: same
};
const contextLines = 1;
const longestInline = 100;
function changeLines(change, palette) {
	const { kind, before, after } = change;
	const headline = `${symbol(kind, palette)} ${sanitizeLine(change.label)}`;
	const line = change.source ? `  ${palette.faint(`:${change.source.line}`)}` : "";
	if (kind === "move") return [`${headline}  ${palette.faint(movement(change))}${line}`];
	const short = inlineChange(before, after, palette);
	if (short !== void 0) return [`${headline}  ${short}${line}`];
	return [`${headline}${line}`, ...differingLines(before, after, contextLines).map((body) => paintLine(body, palette))];
}
function symbol(kind, palette) {
	switch (kind) {
		case "add":
		case "copy": return palette.added("+");
		case "remove": return palette.removed("-");
		case "replace":
		case "test": return palette.changed("~");
		case "move": return palette.changed(">");
	}
}
function movement({ from = "", path }) {
	return `moved from ${sanitizeLine(lastToken(from))} to ${sanitizeLine(lastToken(path))}`;
}
function lastToken(pointer) {
	return pointer.slice(pointer.lastIndexOf("/") + 1);
}
function inlineChange(before, after, palette) {
	const left = before === void 0 ? "" : inlineValue(before);
	const right = after === void 0 ? "" : inlineValue(after);
	if (left === void 0 || right === void 0) return void 0;
	if (left.length + right.length > longestInline) return void 0;
	return [...before === void 0 ? [] : [palette.removed(sanitizeLine(quoteBlank(left)))], ...after === void 0 ? [] : [palette.added(sanitizeLine(quoteBlank(right)))]].join(" → ");
}
function paintLine({ kind, text }, palette) {
	const clean = sanitizeLine(text);
	switch (kind) {
		case "added": return palette.added(`    + ${clean}`);
		case "removed": return palette.removed(`    - ${clean}`);
		case "context": return `      ${clean}`;
		case "gap": return palette.faint(`      ${clean}`);
	}
}
const reach = 60;
function excerptLines(place, lineOf, palette) {
	const text = lineOf(place);
	if (text === void 0 || text.trim() === "") return [];
	const offset = place.column - 1;
	const start = Math.max(0, offset - reach);
	const before = sanitizeLine(text.slice(start, offset).toWellFormed());
	const after = sanitizeLine(text.slice(offset, offset + reach).toWellFormed());
	const margin = String(place.line);
	return [palette.faint(`  ${margin} | ${before}${after}`), `  ${" ".repeat(margin.length)} ${palette.faint("|")} ${blank(before)}${palette.error("^")}`];
}
function blank(text) {
	return text.replaceAll(/\p{Mark}/gu, "").replaceAll(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}]/gu, "  ").replaceAll(/[^ ]/gu, " ");
}
function diagnosticLines(diagnostic, palette, lineOf) {
	const { code, severity, message, hint, source } = diagnostic;
	return [
		`${source ? `${sanitizeLine(source.file)}:${source.line}:${source.column}: ` : ""}${paintFor(severity, palette)(`${severity}:`)} ${sanitizeLine(message)} ${palette.faint(`[${code}]`)}`,
		...source && lineOf ? excerptLines(source, lineOf, palette) : [],
		...hint === void 0 ? [] : [`  ${sanitizeLine(hint)}`]
	];
}
function paintFor(severity, palette) {
	switch (severity) {
		case "error": return palette.error;
		case "warning": return palette.warning;
		case "information": return palette.faint;
	}
}
function contractLines(contract, palette, all) {
	switch (contract.action) {
		case "update":
		case "blocked": return updateLines(contract, palette, all);
		case "missing": return missingLines(contract, palette);
		case "unchanged":
			if (!all && contract.problems.length === 0) return [];
			return [`${palette.faint("=")} ${name(contract, palette)}  ${place(contract.source, palette)}`, ...problemLines(contract.problems, palette, all)];
		case "unmanaged": return [];
	}
}
function updateLines(contract, palette, all) {
	const blocked = contract.action === "blocked";
	const symbol = blocked ? palette.error("!") : palette.changed("~");
	const verdict = blocked ? `  ${palette.error("blocked")}` : "";
	return [
		`${symbol} ${name(contract, palette)}${verdict}  ${place(contract.source, palette)}`,
		...transitionLines(contract, palette),
		...versionLines(contract, palette),
		...problemLines(contract.problems, palette, all),
		...contract.changes.filter((change) => !isTransition(change)).flatMap((change) => indent(changeLines(change, palette)))
	];
}
function transitionLines({ transition, changes }, palette) {
	if (!transition) return [];
	const [from, to] = [transition.from, transition.to].map((status) => status === null ? "no status" : sanitizeLine(status));
	const line = changes.find(isTransition)?.source?.line;
	const where = line === void 0 ? "" : `  ${palette.faint(`:${line}`)}`;
	return [`  ${palette.changed("»")} ${palette.strong(`${from} → ${to}`)}${where}`];
}
function isTransition({ path }) {
	return path === "/entityStatus";
}
function problemLines(problems, palette, all) {
	return problems.filter((problem) => all || isTold(problem)).flatMap((problem) => indent(diagnosticLines(problem, palette)));
}
function versionLines({ liveVersion, predictedVersions }, palette) {
	if (liveVersion === void 0 || predictedVersions.length === 0) return [];
	const next = predictedVersions.join(" or ");
	return [`  ${palette.faint(`version ${sanitizeLine(liveVersion)} → ${next} (expected)`)}`];
}
function missingLines(contract, palette) {
	return [`${palette.warning("?")} ${name(contract, palette)}  ${place(contract.source, palette)}`, ...contract.problems.flatMap((problem) => missingProblemLines(problem, palette))];
}
function missingProblemLines(problem, palette) {
	const { severity, message, hint } = problem;
	if (severity === "error") return indent(diagnosticLines(problem, palette));
	return [`  ${palette.warning(message)}`, ...hint === void 0 ? [] : [`  ${palette.faint(hint)}`]];
}
function name(contract, palette) {
	return palette.strong(sanitizeLine(contractLabel(contract)));
}
function place({ file, line }, palette) {
	return palette.faint(`${sanitizeLine(file)}:${line}`);
}
function indent(lines) {
	return lines.map((line) => `  ${line}`);
}
const mostNames = 10;
function renderPlanText(plan, { palette, detail }) {
	const all = detail === "all";
	const contracts = [
		...plan.contracts.map((contract) => contractLines(contract, palette, all)),
		unmanagedLines(plan, palette, all),
		selectionLines(plan, palette, all)
	];
	return `${[
		...plan.diagnostics.map((diagnostic) => diagnosticLines(diagnostic, palette)),
		...detail === "totals" ? [] : contracts,
		closingLines(plan, palette)
	].filter((lines) => lines.length > 0).map((lines) => lines.join("\n")).join("\n\n")}\n`;
}
function unmanagedLines(plan, palette, all) {
	const unmanaged = plan.contracts.filter((contract) => contract.action === "unmanaged");
	if (unmanaged.length === 0) return [];
	return [`${count(unmanaged.length, "live contract stands", "live contracts stand")} in no file that was read, and will be left alone:`, ...nameLines(unmanaged.map(contractLabel), palette, all)];
}
function selectionLines({ selection }, palette, all) {
	if (!selection || selection.leftOut.length === 0) return [];
	const { only, exclude, changedSince, leftOut } = selection;
	const flags = [
		...only.map((pattern) => `--only ${pattern}`),
		...exclude.map((pattern) => `--exclude ${pattern}`),
		...changedSince === void 0 ? [] : [`--changed-since ${changedSince}`]
	];
	return [`${count(leftOut.length, "contract was", "contracts were")} left out by ${sanitizeLine(flags.join(" "))}:`, ...nameLines(leftOut, palette, all)];
}
function nameLines(names, palette, all) {
	const shown = all ? names : names.slice(0, mostNames);
	const rest = names.length - shown.length;
	return [...shown.map((name) => `  ${palette.faint(sanitizeLine(name))}`), ...rest > 0 ? [palette.faint(`  … and ${rest} more (--all names them)`)] : []];
}
function closingLines(plan, palette) {
	if (plan.planHash === void 0) return [palette.error("No plan was made.")];
	return [summaryLine$1(plan, palette), palette.faint(`Plan hash: ${plan.planHash}`)];
}
function summaryLine$1({ summary, errored }, palette) {
	const { update, unchanged, missing, unmanaged, blocked, transitions, breaking } = summary;
	const rest = [
		`${unchanged} unchanged`,
		...missing > 0 ? [`${missing} missing`] : [],
		...unmanaged > 0 ? [`${unmanaged} unmanaged`] : []
	].join(", ");
	if (update === 0 && blocked === 0) return `${(errored ? palette.error : palette.good)("No changes.")} ${rest}.`;
	const moves = transitions > 0 ? ` (${count(transitions, "status transition", "status transitions")})` : "";
	const breaks = breaking > 0 ? `${palette.warning(`${breaking} breaking`)}, ` : "";
	const stopped = blocked > 0 ? `${palette.error(`${blocked} blocked`)}, ` : "";
	return `${palette.strong("Plan:")} ${update} to update${moves}, ${stopped}${breaks}${rest}.`;
}
function renderValidationText({ diagnostics, summary }, palette, lineOf) {
	return `${[...diagnostics.map((diagnostic) => diagnosticLines(diagnostic, palette, lineOf).join("\n")), summaryLine(summary, palette)].join("\n\n")}\n`;
}
function summaryLine({ files, contracts, errors, warnings }, palette) {
	const read = `${count(contracts, "good contract", "good contracts")} in ${count(files, "file", "files")}`;
	if (errors + warnings === 0) return `${palette.good("No problems:")} ${read}.`;
	return `${[...errors > 0 ? [palette.error(count(errors, "error", "errors"))] : [], ...warnings > 0 ? [palette.warning(count(warnings, "warning", "warnings"))] : []].join(", ")}; ${read}.`;
}
function renderResult(result, options) {
	switch (result.kind) {
		case "plan": return renderPlanMarkdown(result.plan, withComparison(result, options));
		case "apply": return renderOutcomesMarkdown(result.plan, result.outcomes, withComparison(result, options));
		case "validation": {
			const { notice } = result;
			const alert = notice === void 0 ? {} : { notice: `> [!NOTE]\n> ${notice}` };
			return renderValidationMarkdown(result.validation, {
				...options,
				...alert
			});
		}
	}
}
function withComparison({ comparison }, options) {
	return comparison ? {
		...options,
		comparison
	} : options;
}
function resultText(result) {
	switch (result.kind) {
		case "plan": return renderPlanText(result.plan, {
			palette: plain,
			detail: "changes"
		});
		case "apply": {
			const planText = renderPlanText(result.plan, {
				palette: plain,
				detail: "changes"
			});
			if (result.outcomes.outcomes.length === 0) return planText;
			return `${planText}\n${renderOutcomesText(result.outcomes, {
				palette: plain,
				verbose: false
			})}`;
		}
		case "validation": return renderValidationText(result.validation, plain, () => void 0);
	}
}
function verdictOf(result) {
	switch (result.kind) {
		case "plan": return planVerdict(result.plan);
		case "apply": return outcomesVerdict(result.outcomes);
		case "validation": return validationVerdict(result.validation);
	}
}
const commentBudget = 6e4;
const mostPacked = 2e4;
async function reportComment(step, shown, told) {
	const { github, inputs, log } = step;
	const target = targetOf(step, shown);
	if (!github || !target || inputs.comment === "off") return;
	const header = headerOf(step, target, told.original);
	const markdown = step.redactor.redact(renderResult(shown, {
		...told.options,
		budget: commentBudget - Buffer.byteLength(formatHeader(header)),
		rest: restOf(step)
	}));
	try {
		const { number } = target.pull;
		const result = await putComment(github, number, {
			header,
			markdown
		}, {
			mode: inputs.comment,
			worthCreating: target.worthCreating
		});
		log.text(`Comment of pull request ${number}: ${result}.`);
	} catch (error) {
		if (!(error instanceof SyncError)) throw error;
		const { message, hint = "" } = error;
		log.annotate({
			code: "no-comment",
			severity: "warning",
			message: `The plan could not be written to the pull request. ${message}`,
			hint
		});
	}
}
function targetOf({ run }, result) {
	switch (result.kind) {
		case "validation": return;
		case "plan":
			if (!run.pullRequest || !tellsOfFiles(result)) return void 0;
			return {
				pull: run.pullRequest,
				worthCreating: isWorthCreating(result.plan)
			};
		case "apply": {
			const { pull, approved, plan } = result;
			if (!pull) return void 0;
			return {
				pull,
				worthCreating: updates(plan).length > 0,
				...approved && { approved }
			};
		}
	}
}
function tellsOfFiles({ failure, ...result }) {
	if (result.kind !== "plan") return false;
	return result.plan.planHash !== void 0 || failure?.reason === "invalid-contracts";
}
function isWorthCreating({ errored, summary }) {
	return errored || summary.update > 0 || summary.missing > 0;
}
function headerOf(step, { pull, approved }, original) {
	const { runId, attempt } = step.run;
	const shared = {
		key: commentKey(step),
		head: pull.headSha,
		run: runId,
		attempt
	};
	if (approved) return {
		...approved,
		run: runId,
		attempt
	};
	if (original.kind !== "plan" || original.plan.planHash === void 0) return shared;
	const { planHash } = original.plan;
	const packed = packForComment(original.plan, step);
	return {
		...shared,
		planHash,
		...packed !== void 0 && { plan: packed }
	};
}
function packForComment(plan, { redactor }) {
	const text = JSON.stringify(plan.contracts);
	if (redactor.redact(text) !== text) return void 0;
	const packed = packPlan(plan);
	return packed.length > mostPacked ? void 0 : packed;
}
function restOf({ run }) {
	return `All of it is in the [summary of the run](${run.serverUrl}/${run.repository}/actions/runs/${run.runId}).`;
}
function renderPlanJson(plan, { all }) {
	const contracts = all ? plan.contracts : plan.contracts.filter(needsEyes);
	return `${JSON.stringify(sealPlan({
		...plan,
		contracts
	}), null, 2)}\n`;
}
function needsEyes(contract) {
	switch (contract.action) {
		case "update":
		case "blocked":
		case "missing": return true;
		case "unchanged": return contract.problems.length > 0;
		case "unmanaged": return contract.inScope ?? false;
	}
}
function writeReport(step, markdown) {
	const file = temporaryFile(step, "summary.md");
	writeText(file, markdown);
	return file;
}
function writePlan(step, plan) {
	const { inputs, folder, redactor } = step;
	const { planFile } = inputs;
	const file = planFile === void 0 ? temporaryFile(step, "plan.json") : resolve(folder, planFile);
	writeText(file, redactor.redact(renderPlanJson(plan, { all: false })));
	return file;
}
function temporaryFile({ run }, name) {
	return join(run.temporary, `contract-sync-${run.step}-${name}`);
}
function writeText(file, text) {
	try {
		mkdirSync(dirname(file), { recursive: true });
		writeFileSync(file, text);
	} catch (error) {
		throw new ConfigError("unwritable-file", `${file} cannot be written.`, {
			hint: "The input `plan-file` names a file in a folder that may be written to.",
			cause: error
		});
	}
}
async function report(step, result) {
	const { log, runner, inputs, redactor } = step;
	const shown = redactAll(result, redactor);
	log.group("contract-sync", resultText(shown));
	const annotations = annotationsOf(shown);
	for (const problem of annotations) log.annotate(atRoot(problem, step));
	const touched = await touchedFiles(step);
	const options = {
		...placesOf(step),
		...touched && { touched }
	};
	const summaryFile = await reportSummary(step, shown, options);
	const planFile = result.kind === "plan" && inputs.command === "plan" ? writePlan(step, result.plan) : void 0;
	await reportComment(step, shown, {
		options,
		original: result
	});
	setOutputs({
		...outputsOf(result),
		"summary-file": summaryFile,
		"plan-file": planFile
	}, runner);
	log.text(`${verdictOf(result)}.`);
	reportFailure(step, result.failure, annotations);
}
const summaryBudget = 9e5;
async function reportSummary(step, shown, options) {
	const rest = "The output `plan-file` names the whole plan.";
	const page = renderResult(shown, {
		...options,
		budget: summaryBudget,
		rest
	});
	const summary = step.redactor.redact(page);
	await step.runner.addSummary(summary);
	return writeReport(step, summary);
}
function redactAll(result, { redact }) {
	return JSON.parse(JSON.stringify(result), (_, value) => typeof value === "string" ? redact(value) : value);
}
function atRoot(diagnostic, step) {
	const { source } = diagnostic;
	if (!source) return diagnostic;
	return {
		...diagnostic,
		source: {
			...source,
			file: fromRoot(step, source.file)
		}
	};
}
function placesOf({ run, prefix }) {
	const commit = run.pullRequest?.headSha ?? run.sha;
	const folder = prefix === "" ? "" : `/${prefix.split("/").map(encodeURIComponent).join("/")}`;
	return { files: `${run.serverUrl}/${run.repository}/blob/${commit}${folder}` };
}
async function touchedFiles(step) {
	const { github, run, prefix, log, inputs } = step;
	if (!github || !run.pullRequest) return void 0;
	try {
		const files = await github.changedFiles(run.pullRequest.number);
		const inside = prefix === "" ? "" : `${prefix}/`;
		const own = files.filter((file) => file.startsWith(inside));
		const touched = new Set(own.map((file) => file.slice(inside.length)));
		return touched.has(inputs.config ?? "contract-sync.yaml") ? void 0 : touched;
	} catch (error) {
		log.text(`The files that the pull request touches are not known: ${String(error)}`);
		return;
	}
}
function reportFailure({ log }, failure, told) {
	if (!failure || told.some(({ message }) => message === failure.message)) return;
	log.annotate({
		code: failure.reason,
		severity: "error",
		message: failure.message
	});
}
function makeValidation(diagnostics, files, contracts) {
	const count = (wanted) => diagnostics.filter(({ severity }) => severity === wanted).length;
	return {
		formatVersion: "1.0",
		errored: hasErrors(diagnostics),
		summary: {
			files,
			contracts,
			errors: count("error"),
			warnings: count("warning")
		},
		diagnostics: sortDiagnostics(diagnostics)
	};
}
async function validate(step, notice) {
	const { inputs, folder } = step;
	const { config, paths } = inputs;
	const { include, exclude, rules } = resolveFileConfig(config === void 0 ? {} : { config }, folder);
	const checked = await checkContracts({
		root: folder,
		include: paths.length > 0 ? paths : include,
		exclude
	}, { statuses: rules.lifecycle.statuses });
	const validation = makeValidation(checked.diagnostics, checked.fileCount, checked.contractCount);
	return {
		kind: "validation",
		validation,
		...notice !== void 0 && { notice },
		...validation.errored && { failure: {
			reason: "invalid-contracts",
			message: "The contract files have errors."
		} }
	};
}
async function runAction(runner) {
	const redactor = createRedactor((secret) => mask(secret, runner));
	try {
		runner.prepareProcess();
		const step = openStep(runner, redactor);
		const result = await attempt(step);
		await report(step, result);
		return result.failure ? 1 : 0;
	} catch (error) {
		giveUp(error, runner, redactor);
		return 1;
	}
}
function mask(secret, runner) {
	for (const line of secret.split("\n")) if (line.trim() !== "") runner.mask(line);
}
function giveUp(error, runner, redactor) {
	const reason = error instanceof SyncError ? "configuration" : "internal";
	const log = createLog(runner, redactor);
	if (reason === "internal" && error instanceof Error) log.text(error.stack ?? "");
	const message = error instanceof Error ? error.message : String(error);
	log.annotate({
		code: reason,
		severity: "error",
		message
	});
	setOutputs({ "failure-reason": reason }, runner);
}
async function attempt(step) {
	try {
		return await perform(step);
	} catch (error) {
		if (!(error instanceof SyncError)) throw error;
		return {
			kind: "plan",
			plan: inWordsOfInputs(erroredPlan(step.inputs.catalogUrl ?? "", toDiagnostics$1(error))),
			failure: failureOfError(error)
		};
	}
}
async function perform(step) {
	switch (step.inputs.command) {
		case "validate": return validate(step);
		case "plan": return isOffline(step) ? validate(step, offline) : plan(step);
		case "apply": return apply(step);
	}
}
function isOffline({ inputs, run, runner }) {
	return run.pullRequest?.untrusted === true && !hasCredential(inputs, runner);
}
const offline = "This pull request comes from a fork or from Dependabot, which get no secrets: the files were checked, and no plan was made. The plan is made when a maintainer brings the change to a branch of this repository.";
function toCommandValue(input) {
	if (input === null || input === void 0) return "";
	else if (typeof input === "string" || input instanceof String) return input;
	return JSON.stringify(input);
}
function issueCommand(command, properties, message) {
	const cmd = new Command(command, properties, message);
	process.stdout.write(cmd.toString() + os$1.EOL);
}
const CMD_STRING = "::";
var Command = class {
	constructor(command, properties, message) {
		if (!command) command = "missing.command";
		this.command = command;
		this.properties = properties;
		this.message = message;
	}
	toString() {
		let cmdStr = CMD_STRING + this.command;
		if (this.properties && Object.keys(this.properties).length > 0) {
			cmdStr += " ";
			let first = true;
			for (const key in this.properties) if (this.properties.hasOwnProperty(key)) {
				const val = this.properties[key];
				if (val) {
					if (first) first = false;
					else cmdStr += ",";
					cmdStr += `${key}=${escapeProperty(val)}`;
				}
			}
		}
		cmdStr += `${CMD_STRING}${escapeData(this.message)}`;
		return cmdStr;
	}
};
function escapeData(s) {
	return toCommandValue(s).replace(/%/g, "%25").replace(/\r/g, "%0D").replace(/\n/g, "%0A");
}
function escapeProperty(s) {
	return toCommandValue(s).replace(/%/g, "%25").replace(/\r/g, "%0D").replace(/\n/g, "%0A").replace(/:/g, "%3A").replace(/,/g, "%2C");
}
function issueFileCommand(command, message) {
	const filePath = process.env[`GITHUB_${command}`];
	if (!filePath) throw new Error(`Unable to find environment variable for file command ${command}`);
	if (!fs.existsSync(filePath)) throw new Error(`Missing file at path: ${filePath}`);
	fs.appendFileSync(filePath, `${toCommandValue(message)}${os$1.EOL}`, { encoding: "utf8" });
}
function prepareKeyValueMessage(key, value) {
	const delimiter = `ghadelimiter_${crypto$1.randomUUID()}`;
	const convertedValue = toCommandValue(value);
	if (key.includes(delimiter)) throw new Error(`Unexpected input: name should not contain the delimiter "${delimiter}"`);
	if (convertedValue.includes(delimiter)) throw new Error(`Unexpected input: value should not contain the delimiter "${delimiter}"`);
	return `${key}<<${delimiter}${os$1.EOL}${convertedValue}${os$1.EOL}${delimiter}`;
}
function getProxyUrl(reqUrl) {
	const usingSsl = reqUrl.protocol === "https:";
	if (checkBypass(reqUrl)) return;
	const proxyVar = (() => {
		if (usingSsl) return process.env["https_proxy"] || process.env["HTTPS_PROXY"];
		else return process.env["http_proxy"] || process.env["HTTP_PROXY"];
	})();
	if (proxyVar) try {
		return new DecodedURL(proxyVar);
	} catch (_a) {
		if (!proxyVar.startsWith("http://") && !proxyVar.startsWith("https://")) return new DecodedURL(`http://${proxyVar}`);
	}
	else return;
}
function checkBypass(reqUrl) {
	if (!reqUrl.hostname) return false;
	const reqHost = reqUrl.hostname;
	if (isLoopbackAddress(reqHost)) return true;
	const noProxy = process.env["no_proxy"] || process.env["NO_PROXY"] || "";
	if (!noProxy) return false;
	let reqPort;
	if (reqUrl.port) reqPort = Number(reqUrl.port);
	else if (reqUrl.protocol === "http:") reqPort = 80;
	else if (reqUrl.protocol === "https:") reqPort = 443;
	const upperReqHosts = [reqUrl.hostname.toUpperCase()];
	if (typeof reqPort === "number") upperReqHosts.push(`${upperReqHosts[0]}:${reqPort}`);
	for (const upperNoProxyItem of noProxy.split(",").map((x) => x.trim().toUpperCase()).filter((x) => x)) if (upperNoProxyItem === "*" || upperReqHosts.some((x) => x === upperNoProxyItem || x.endsWith(`.${upperNoProxyItem}`) || upperNoProxyItem.startsWith(".") && x.endsWith(`${upperNoProxyItem}`))) return true;
	return false;
}
function isLoopbackAddress(host) {
	const hostLower = host.toLowerCase();
	return hostLower === "localhost" || hostLower.startsWith("127.") || hostLower.startsWith("[::1]") || hostLower.startsWith("[0:0:0:0:0:0:0:1]");
}
var DecodedURL = class extends URL {
	constructor(url, base) {
		super(url, base);
		this._decodedUsername = decodeURIComponent(super.username);
		this._decodedPassword = decodeURIComponent(super.password);
	}
	get username() {
		return this._decodedUsername;
	}
	get password() {
		return this._decodedPassword;
	}
};
var require_tunnel$1 = __commonJSMin(((exports) => {
	__require("net");
	var tls = __require("tls");
	var http = __require("http");
	var https = __require("https");
	var events = __require("events");
	__require("assert");
	var util = __require("util");
	exports.httpOverHttp = httpOverHttp;
	exports.httpsOverHttp = httpsOverHttp;
	exports.httpOverHttps = httpOverHttps;
	exports.httpsOverHttps = httpsOverHttps;
	function httpOverHttp(options) {
		var agent = new TunnelingAgent(options);
		agent.request = http.request;
		return agent;
	}
	function httpsOverHttp(options) {
		var agent = new TunnelingAgent(options);
		agent.request = http.request;
		agent.createSocket = createSecureSocket;
		agent.defaultPort = 443;
		return agent;
	}
	function httpOverHttps(options) {
		var agent = new TunnelingAgent(options);
		agent.request = https.request;
		return agent;
	}
	function httpsOverHttps(options) {
		var agent = new TunnelingAgent(options);
		agent.request = https.request;
		agent.createSocket = createSecureSocket;
		agent.defaultPort = 443;
		return agent;
	}
	function TunnelingAgent(options) {
		var self = this;
		self.options = options || {};
		self.proxyOptions = self.options.proxy || {};
		self.maxSockets = self.options.maxSockets || http.Agent.defaultMaxSockets;
		self.requests = [];
		self.sockets = [];
		self.on("free", function onFree(socket, host, port, localAddress) {
			var options = toOptions(host, port, localAddress);
			for (var i = 0, len = self.requests.length; i < len; ++i) {
				var pending = self.requests[i];
				if (pending.host === options.host && pending.port === options.port) {
					self.requests.splice(i, 1);
					pending.request.onSocket(socket);
					return;
				}
			}
			socket.destroy();
			self.removeSocket(socket);
		});
	}
	util.inherits(TunnelingAgent, events.EventEmitter);
	TunnelingAgent.prototype.addRequest = function addRequest(req, host, port, localAddress) {
		var self = this;
		var options = mergeOptions({ request: req }, self.options, toOptions(host, port, localAddress));
		if (self.sockets.length >= this.maxSockets) {
			self.requests.push(options);
			return;
		}
		self.createSocket(options, function(socket) {
			socket.on("free", onFree);
			socket.on("close", onCloseOrRemove);
			socket.on("agentRemove", onCloseOrRemove);
			req.onSocket(socket);
			function onFree() {
				self.emit("free", socket, options);
			}
			function onCloseOrRemove(err) {
				self.removeSocket(socket);
				socket.removeListener("free", onFree);
				socket.removeListener("close", onCloseOrRemove);
				socket.removeListener("agentRemove", onCloseOrRemove);
			}
		});
	};
	TunnelingAgent.prototype.createSocket = function createSocket(options, cb) {
		var self = this;
		var placeholder = {};
		self.sockets.push(placeholder);
		var connectOptions = mergeOptions({}, self.proxyOptions, {
			method: "CONNECT",
			path: options.host + ":" + options.port,
			agent: false,
			headers: { host: options.host + ":" + options.port }
		});
		if (options.localAddress) connectOptions.localAddress = options.localAddress;
		if (connectOptions.proxyAuth) {
			connectOptions.headers = connectOptions.headers || {};
			connectOptions.headers["Proxy-Authorization"] = "Basic " + new Buffer(connectOptions.proxyAuth).toString("base64");
		}
		debug("making CONNECT request");
		var connectReq = self.request(connectOptions);
		connectReq.useChunkedEncodingByDefault = false;
		connectReq.once("response", onResponse);
		connectReq.once("upgrade", onUpgrade);
		connectReq.once("connect", onConnect);
		connectReq.once("error", onError);
		connectReq.end();
		function onResponse(res) {
			res.upgrade = true;
		}
		function onUpgrade(res, socket, head) {
			process.nextTick(function() {
				onConnect(res, socket, head);
			});
		}
		function onConnect(res, socket, head) {
			connectReq.removeAllListeners();
			socket.removeAllListeners();
			if (res.statusCode !== 200) {
				debug("tunneling socket could not be established, statusCode=%d", res.statusCode);
				socket.destroy();
				var error = new Error("tunneling socket could not be established, statusCode=" + res.statusCode);
				error.code = "ECONNRESET";
				options.request.emit("error", error);
				self.removeSocket(placeholder);
				return;
			}
			if (head.length > 0) {
				debug("got illegal response body from proxy");
				socket.destroy();
				var error = new Error("got illegal response body from proxy");
				error.code = "ECONNRESET";
				options.request.emit("error", error);
				self.removeSocket(placeholder);
				return;
			}
			debug("tunneling connection has established");
			self.sockets[self.sockets.indexOf(placeholder)] = socket;
			return cb(socket);
		}
		function onError(cause) {
			connectReq.removeAllListeners();
			debug("tunneling socket could not be established, cause=%s\n", cause.message, cause.stack);
			var error = new Error("tunneling socket could not be established, cause=" + cause.message);
			error.code = "ECONNRESET";
			options.request.emit("error", error);
			self.removeSocket(placeholder);
		}
	};
	TunnelingAgent.prototype.removeSocket = function removeSocket(socket) {
		var pos = this.sockets.indexOf(socket);
		if (pos === -1) return;
		this.sockets.splice(pos, 1);
		var pending = this.requests.shift();
		if (pending) this.createSocket(pending, function(socket) {
			pending.request.onSocket(socket);
		});
	};
	function createSecureSocket(options, cb) {
		var self = this;
		TunnelingAgent.prototype.createSocket.call(self, options, function(socket) {
			var hostHeader = options.request.getHeader("host");
			var tlsOptions = mergeOptions({}, self.options, {
				socket,
				servername: hostHeader ? hostHeader.replace(/:.*$/, "") : options.host
			});
			var secureSocket = tls.connect(0, tlsOptions);
			self.sockets[self.sockets.indexOf(socket)] = secureSocket;
			cb(secureSocket);
		});
	}
	function toOptions(host, port, localAddress) {
		if (typeof host === "string") return {
			host,
			port,
			localAddress
		};
		return host;
	}
	function mergeOptions(target) {
		for (var i = 1, len = arguments.length; i < len; ++i) {
			var overrides = arguments[i];
			if (typeof overrides === "object") {
				var keys = Object.keys(overrides);
				for (var j = 0, keyLen = keys.length; j < keyLen; ++j) {
					var k = keys[j];
					if (overrides[k] !== void 0) target[k] = overrides[k];
				}
			}
		}
		return target;
	}
	var debug;
	if (process.env.NODE_DEBUG && /\btunnel\b/.test(process.env.NODE_DEBUG)) debug = function() {
		var args = Array.prototype.slice.call(arguments);
		if (typeof args[0] === "string") args[0] = "TUNNEL: " + args[0];
		else args.unshift("TUNNEL:");
		console.error.apply(console, args);
	};
	else debug = function() {};
}));
var import_tunnel = __toESM(__commonJSMin(((exports, module) => {
	module.exports = require_tunnel$1();
}))(), 1);
function ProxyAgent() {
	throw new Error("The Action is built without undici.");
}
var __awaiter$9 = function(thisArg, _arguments, P, generator) {
	function adopt(value) {
		return value instanceof P ? value : new P(function(resolve) {
			resolve(value);
		});
	}
	return new (P || (P = Promise))(function(resolve, reject) {
		function fulfilled(value) {
			try {
				step(generator.next(value));
			} catch (e) {
				reject(e);
			}
		}
		function rejected(value) {
			try {
				step(generator["throw"](value));
			} catch (e) {
				reject(e);
			}
		}
		function step(result) {
			result.done ? resolve(result.value) : adopt(result.value).then(fulfilled, rejected);
		}
		step((generator = generator.apply(thisArg, _arguments || [])).next());
	});
};
var HttpCodes;
(function(HttpCodes) {
	HttpCodes[HttpCodes["OK"] = 200] = "OK";
	HttpCodes[HttpCodes["MultipleChoices"] = 300] = "MultipleChoices";
	HttpCodes[HttpCodes["MovedPermanently"] = 301] = "MovedPermanently";
	HttpCodes[HttpCodes["ResourceMoved"] = 302] = "ResourceMoved";
	HttpCodes[HttpCodes["SeeOther"] = 303] = "SeeOther";
	HttpCodes[HttpCodes["NotModified"] = 304] = "NotModified";
	HttpCodes[HttpCodes["UseProxy"] = 305] = "UseProxy";
	HttpCodes[HttpCodes["SwitchProxy"] = 306] = "SwitchProxy";
	HttpCodes[HttpCodes["TemporaryRedirect"] = 307] = "TemporaryRedirect";
	HttpCodes[HttpCodes["PermanentRedirect"] = 308] = "PermanentRedirect";
	HttpCodes[HttpCodes["BadRequest"] = 400] = "BadRequest";
	HttpCodes[HttpCodes["Unauthorized"] = 401] = "Unauthorized";
	HttpCodes[HttpCodes["PaymentRequired"] = 402] = "PaymentRequired";
	HttpCodes[HttpCodes["Forbidden"] = 403] = "Forbidden";
	HttpCodes[HttpCodes["NotFound"] = 404] = "NotFound";
	HttpCodes[HttpCodes["MethodNotAllowed"] = 405] = "MethodNotAllowed";
	HttpCodes[HttpCodes["NotAcceptable"] = 406] = "NotAcceptable";
	HttpCodes[HttpCodes["ProxyAuthenticationRequired"] = 407] = "ProxyAuthenticationRequired";
	HttpCodes[HttpCodes["RequestTimeout"] = 408] = "RequestTimeout";
	HttpCodes[HttpCodes["Conflict"] = 409] = "Conflict";
	HttpCodes[HttpCodes["Gone"] = 410] = "Gone";
	HttpCodes[HttpCodes["TooManyRequests"] = 429] = "TooManyRequests";
	HttpCodes[HttpCodes["InternalServerError"] = 500] = "InternalServerError";
	HttpCodes[HttpCodes["NotImplemented"] = 501] = "NotImplemented";
	HttpCodes[HttpCodes["BadGateway"] = 502] = "BadGateway";
	HttpCodes[HttpCodes["ServiceUnavailable"] = 503] = "ServiceUnavailable";
	HttpCodes[HttpCodes["GatewayTimeout"] = 504] = "GatewayTimeout";
})(HttpCodes || (HttpCodes = {}));
var Headers$1;
(function(Headers) {
	Headers["Accept"] = "accept";
	Headers["ContentType"] = "content-type";
})(Headers$1 || (Headers$1 = {}));
var MediaTypes;
(function(MediaTypes) {
	MediaTypes["ApplicationJson"] = "application/json";
})(MediaTypes || (MediaTypes = {}));
const HttpRedirectCodes = [
	HttpCodes.MovedPermanently,
	HttpCodes.ResourceMoved,
	HttpCodes.SeeOther,
	HttpCodes.TemporaryRedirect,
	HttpCodes.PermanentRedirect
];
const HttpResponseRetryCodes = [
	HttpCodes.BadGateway,
	HttpCodes.ServiceUnavailable,
	HttpCodes.GatewayTimeout
];
const RetryableHttpVerbs = [
	"OPTIONS",
	"GET",
	"DELETE",
	"HEAD"
];
const ExponentialBackoffCeiling = 10;
const ExponentialBackoffTimeSlice = 5;
var HttpClientError = class HttpClientError extends Error {
	constructor(message, statusCode) {
		super(message);
		this.name = "HttpClientError";
		this.statusCode = statusCode;
		Object.setPrototypeOf(this, HttpClientError.prototype);
	}
};
var HttpClientResponse = class {
	constructor(message) {
		this.message = message;
	}
	readBody() {
		return __awaiter$9(this, void 0, void 0, function* () {
			return new Promise((resolve) => __awaiter$9(this, void 0, void 0, function* () {
				let output = Buffer.alloc(0);
				this.message.on("data", (chunk) => {
					output = Buffer.concat([output, chunk]);
				});
				this.message.on("end", () => {
					resolve(output.toString());
				});
			}));
		});
	}
	readBodyBuffer() {
		return __awaiter$9(this, void 0, void 0, function* () {
			return new Promise((resolve) => __awaiter$9(this, void 0, void 0, function* () {
				const chunks = [];
				this.message.on("data", (chunk) => {
					chunks.push(chunk);
				});
				this.message.on("end", () => {
					resolve(Buffer.concat(chunks));
				});
			}));
		});
	}
};
var HttpClient = class {
	constructor(userAgent, handlers, requestOptions) {
		this._ignoreSslError = false;
		this._allowRedirects = true;
		this._allowRedirectDowngrade = false;
		this._maxRedirects = 50;
		this._allowRetries = false;
		this._maxRetries = 1;
		this._keepAlive = false;
		this._disposed = false;
		this.userAgent = this._getUserAgentWithOrchestrationId(userAgent);
		this.handlers = handlers || [];
		this.requestOptions = requestOptions;
		if (requestOptions) {
			if (requestOptions.ignoreSslError != null) this._ignoreSslError = requestOptions.ignoreSslError;
			this._socketTimeout = requestOptions.socketTimeout;
			if (requestOptions.allowRedirects != null) this._allowRedirects = requestOptions.allowRedirects;
			if (requestOptions.allowRedirectDowngrade != null) this._allowRedirectDowngrade = requestOptions.allowRedirectDowngrade;
			if (requestOptions.maxRedirects != null) this._maxRedirects = Math.max(requestOptions.maxRedirects, 0);
			if (requestOptions.keepAlive != null) this._keepAlive = requestOptions.keepAlive;
			if (requestOptions.allowRetries != null) this._allowRetries = requestOptions.allowRetries;
			if (requestOptions.maxRetries != null) this._maxRetries = requestOptions.maxRetries;
		}
	}
	options(requestUrl, additionalHeaders) {
		return __awaiter$9(this, void 0, void 0, function* () {
			return this.request("OPTIONS", requestUrl, null, additionalHeaders || {});
		});
	}
	get(requestUrl, additionalHeaders) {
		return __awaiter$9(this, void 0, void 0, function* () {
			return this.request("GET", requestUrl, null, additionalHeaders || {});
		});
	}
	del(requestUrl, additionalHeaders) {
		return __awaiter$9(this, void 0, void 0, function* () {
			return this.request("DELETE", requestUrl, null, additionalHeaders || {});
		});
	}
	post(requestUrl, data, additionalHeaders) {
		return __awaiter$9(this, void 0, void 0, function* () {
			return this.request("POST", requestUrl, data, additionalHeaders || {});
		});
	}
	patch(requestUrl, data, additionalHeaders) {
		return __awaiter$9(this, void 0, void 0, function* () {
			return this.request("PATCH", requestUrl, data, additionalHeaders || {});
		});
	}
	put(requestUrl, data, additionalHeaders) {
		return __awaiter$9(this, void 0, void 0, function* () {
			return this.request("PUT", requestUrl, data, additionalHeaders || {});
		});
	}
	head(requestUrl, additionalHeaders) {
		return __awaiter$9(this, void 0, void 0, function* () {
			return this.request("HEAD", requestUrl, null, additionalHeaders || {});
		});
	}
	sendStream(verb, requestUrl, stream, additionalHeaders) {
		return __awaiter$9(this, void 0, void 0, function* () {
			return this.request(verb, requestUrl, stream, additionalHeaders);
		});
	}
	getJson(requestUrl_1) {
		return __awaiter$9(this, arguments, void 0, function* (requestUrl, additionalHeaders = {}) {
			additionalHeaders[Headers$1.Accept] = this._getExistingOrDefaultHeader(additionalHeaders, Headers$1.Accept, MediaTypes.ApplicationJson);
			const res = yield this.get(requestUrl, additionalHeaders);
			return this._processResponse(res, this.requestOptions);
		});
	}
	postJson(requestUrl_1, obj_1) {
		return __awaiter$9(this, arguments, void 0, function* (requestUrl, obj, additionalHeaders = {}) {
			const data = JSON.stringify(obj, null, 2);
			additionalHeaders[Headers$1.Accept] = this._getExistingOrDefaultHeader(additionalHeaders, Headers$1.Accept, MediaTypes.ApplicationJson);
			additionalHeaders[Headers$1.ContentType] = this._getExistingOrDefaultContentTypeHeader(additionalHeaders, MediaTypes.ApplicationJson);
			const res = yield this.post(requestUrl, data, additionalHeaders);
			return this._processResponse(res, this.requestOptions);
		});
	}
	putJson(requestUrl_1, obj_1) {
		return __awaiter$9(this, arguments, void 0, function* (requestUrl, obj, additionalHeaders = {}) {
			const data = JSON.stringify(obj, null, 2);
			additionalHeaders[Headers$1.Accept] = this._getExistingOrDefaultHeader(additionalHeaders, Headers$1.Accept, MediaTypes.ApplicationJson);
			additionalHeaders[Headers$1.ContentType] = this._getExistingOrDefaultContentTypeHeader(additionalHeaders, MediaTypes.ApplicationJson);
			const res = yield this.put(requestUrl, data, additionalHeaders);
			return this._processResponse(res, this.requestOptions);
		});
	}
	patchJson(requestUrl_1, obj_1) {
		return __awaiter$9(this, arguments, void 0, function* (requestUrl, obj, additionalHeaders = {}) {
			const data = JSON.stringify(obj, null, 2);
			additionalHeaders[Headers$1.Accept] = this._getExistingOrDefaultHeader(additionalHeaders, Headers$1.Accept, MediaTypes.ApplicationJson);
			additionalHeaders[Headers$1.ContentType] = this._getExistingOrDefaultContentTypeHeader(additionalHeaders, MediaTypes.ApplicationJson);
			const res = yield this.patch(requestUrl, data, additionalHeaders);
			return this._processResponse(res, this.requestOptions);
		});
	}
	request(verb, requestUrl, data, headers) {
		return __awaiter$9(this, void 0, void 0, function* () {
			if (this._disposed) throw new Error("Client has already been disposed.");
			const parsedUrl = new URL(requestUrl);
			let info = this._prepareRequest(verb, parsedUrl, headers);
			const maxTries = this._allowRetries && RetryableHttpVerbs.includes(verb) ? this._maxRetries + 1 : 1;
			let numTries = 0;
			let response;
			do {
				response = yield this.requestRaw(info, data);
				if (response && response.message && response.message.statusCode === HttpCodes.Unauthorized) {
					let authenticationHandler;
					for (const handler of this.handlers) if (handler.canHandleAuthentication(response)) {
						authenticationHandler = handler;
						break;
					}
					if (authenticationHandler) return authenticationHandler.handleAuthentication(this, info, data);
					else return response;
				}
				let redirectsRemaining = this._maxRedirects;
				while (response.message.statusCode && HttpRedirectCodes.includes(response.message.statusCode) && this._allowRedirects && redirectsRemaining > 0) {
					const redirectUrl = response.message.headers["location"];
					if (!redirectUrl) break;
					const parsedRedirectUrl = new URL(redirectUrl);
					if (parsedUrl.protocol === "https:" && parsedUrl.protocol !== parsedRedirectUrl.protocol && !this._allowRedirectDowngrade) throw new Error("Redirect from HTTPS to HTTP protocol. This downgrade is not allowed for security reasons. If you want to allow this behavior, set the allowRedirectDowngrade option to true.");
					yield response.readBody();
					if (parsedRedirectUrl.hostname !== parsedUrl.hostname) {
						for (const header in headers) if (header.toLowerCase() === "authorization") delete headers[header];
					}
					info = this._prepareRequest(verb, parsedRedirectUrl, headers);
					response = yield this.requestRaw(info, data);
					redirectsRemaining--;
				}
				if (!response.message.statusCode || !HttpResponseRetryCodes.includes(response.message.statusCode)) return response;
				numTries += 1;
				if (numTries < maxTries) {
					yield response.readBody();
					yield this._performExponentialBackoff(numTries);
				}
			} while (numTries < maxTries);
			return response;
		});
	}
	dispose() {
		if (this._agent) this._agent.destroy();
		this._disposed = true;
	}
	requestRaw(info, data) {
		return __awaiter$9(this, void 0, void 0, function* () {
			return new Promise((resolve, reject) => {
				function callbackForResult(err, res) {
					if (err) reject(err);
					else if (!res) reject(new Error("Unknown error"));
					else resolve(res);
				}
				this.requestRawWithCallback(info, data, callbackForResult);
			});
		});
	}
	requestRawWithCallback(info, data, onResult) {
		if (typeof data === "string") {
			if (!info.options.headers) info.options.headers = {};
			info.options.headers["Content-Length"] = Buffer.byteLength(data, "utf8");
		}
		let callbackCalled = false;
		function handleResult(err, res) {
			if (!callbackCalled) {
				callbackCalled = true;
				onResult(err, res);
			}
		}
		const req = info.httpModule.request(info.options, (msg) => {
			handleResult(void 0, new HttpClientResponse(msg));
		});
		let socket;
		req.on("socket", (sock) => {
			socket = sock;
		});
		req.setTimeout(this._socketTimeout || 18e4, () => {
			if (socket) socket.end();
			handleResult(new Error(`Request timeout: ${info.options.path}`));
		});
		req.on("error", function(err) {
			handleResult(err);
		});
		if (data && typeof data === "string") req.write(data, "utf8");
		if (data && typeof data !== "string") {
			data.on("close", function() {
				req.end();
			});
			data.pipe(req);
		} else req.end();
	}
	getAgent(serverUrl) {
		const parsedUrl = new URL(serverUrl);
		return this._getAgent(parsedUrl);
	}
	getAgentDispatcher(serverUrl) {
		const parsedUrl = new URL(serverUrl);
		const proxyUrl = getProxyUrl(parsedUrl);
		if (!(proxyUrl && proxyUrl.hostname)) return;
		return this._getProxyAgentDispatcher(parsedUrl, proxyUrl);
	}
	_prepareRequest(method, requestUrl, headers) {
		const info = {};
		info.parsedUrl = requestUrl;
		const usingSsl = info.parsedUrl.protocol === "https:";
		info.httpModule = usingSsl ? https : http;
		const defaultPort = usingSsl ? 443 : 80;
		info.options = {};
		info.options.host = info.parsedUrl.hostname;
		info.options.port = info.parsedUrl.port ? parseInt(info.parsedUrl.port) : defaultPort;
		info.options.path = (info.parsedUrl.pathname || "") + (info.parsedUrl.search || "");
		info.options.method = method;
		info.options.headers = this._mergeHeaders(headers);
		if (this.userAgent != null) info.options.headers["user-agent"] = this.userAgent;
		info.options.agent = this._getAgent(info.parsedUrl);
		if (this.handlers) for (const handler of this.handlers) handler.prepareRequest(info.options);
		return info;
	}
	_mergeHeaders(headers) {
		if (this.requestOptions && this.requestOptions.headers) return Object.assign({}, lowercaseKeys(this.requestOptions.headers), lowercaseKeys(headers || {}));
		return lowercaseKeys(headers || {});
	}
	_getExistingOrDefaultHeader(additionalHeaders, header, _default) {
		let clientHeader;
		if (this.requestOptions && this.requestOptions.headers) {
			const headerValue = lowercaseKeys(this.requestOptions.headers)[header];
			if (headerValue) clientHeader = typeof headerValue === "number" ? headerValue.toString() : headerValue;
		}
		const additionalValue = additionalHeaders[header];
		if (additionalValue !== void 0) return typeof additionalValue === "number" ? additionalValue.toString() : additionalValue;
		if (clientHeader !== void 0) return clientHeader;
		return _default;
	}
	_getExistingOrDefaultContentTypeHeader(additionalHeaders, _default) {
		let clientHeader;
		if (this.requestOptions && this.requestOptions.headers) {
			const headerValue = lowercaseKeys(this.requestOptions.headers)[Headers$1.ContentType];
			if (headerValue) {
				if (typeof headerValue === "number") clientHeader = String(headerValue);
				else if (Array.isArray(headerValue)) clientHeader = headerValue.join(", ");
				else clientHeader = headerValue;
			}
		}
		const additionalValue = additionalHeaders[Headers$1.ContentType];
		if (additionalValue !== void 0) {
			if (typeof additionalValue === "number") return String(additionalValue);
			else if (Array.isArray(additionalValue)) return additionalValue.join(", ");
			else return additionalValue;
		}
		if (clientHeader !== void 0) return clientHeader;
		return _default;
	}
	_getAgent(parsedUrl) {
		let agent;
		const proxyUrl = getProxyUrl(parsedUrl);
		const useProxy = proxyUrl && proxyUrl.hostname;
		if (this._keepAlive && useProxy) agent = this._proxyAgent;
		if (!useProxy) agent = this._agent;
		if (agent) return agent;
		const usingSsl = parsedUrl.protocol === "https:";
		let maxSockets = 100;
		if (this.requestOptions) maxSockets = this.requestOptions.maxSockets || http.globalAgent.maxSockets;
		if (proxyUrl && proxyUrl.hostname) {
			const agentOptions = {
				maxSockets,
				keepAlive: this._keepAlive,
				proxy: Object.assign(Object.assign({}, (proxyUrl.username || proxyUrl.password) && { proxyAuth: `${proxyUrl.username}:${proxyUrl.password}` }), {
					host: proxyUrl.hostname,
					port: proxyUrl.port
				})
			};
			let tunnelAgent;
			const overHttps = proxyUrl.protocol === "https:";
			if (usingSsl) tunnelAgent = overHttps ? import_tunnel.httpsOverHttps : import_tunnel.httpsOverHttp;
			else tunnelAgent = overHttps ? import_tunnel.httpOverHttps : import_tunnel.httpOverHttp;
			agent = tunnelAgent(agentOptions);
			this._proxyAgent = agent;
		}
		if (!agent) {
			const options = {
				keepAlive: this._keepAlive,
				maxSockets
			};
			agent = usingSsl ? new https.Agent(options) : new http.Agent(options);
			this._agent = agent;
		}
		if (usingSsl && this._ignoreSslError) agent.options = Object.assign(agent.options || {}, { rejectUnauthorized: false });
		return agent;
	}
	_getProxyAgentDispatcher(parsedUrl, proxyUrl) {
		let proxyAgent;
		if (this._keepAlive) proxyAgent = this._proxyAgentDispatcher;
		if (proxyAgent) return proxyAgent;
		const usingSsl = parsedUrl.protocol === "https:";
		proxyAgent = new ProxyAgent(Object.assign({
			uri: proxyUrl.href,
			pipelining: !this._keepAlive ? 0 : 1
		}, (proxyUrl.username || proxyUrl.password) && { token: `Basic ${Buffer.from(`${proxyUrl.username}:${proxyUrl.password}`).toString("base64")}` }));
		this._proxyAgentDispatcher = proxyAgent;
		if (usingSsl && this._ignoreSslError) proxyAgent.options = Object.assign(proxyAgent.options.requestTls || {}, { rejectUnauthorized: false });
		return proxyAgent;
	}
	_getUserAgentWithOrchestrationId(userAgent) {
		const baseUserAgent = userAgent || "actions/http-client";
		const orchId = process.env["ACTIONS_ORCHESTRATION_ID"];
		if (orchId) return `${baseUserAgent} actions_orchestration_id/${orchId.replace(/[^a-z0-9_.-]/gi, "_")}`;
		return baseUserAgent;
	}
	_performExponentialBackoff(retryNumber) {
		return __awaiter$9(this, void 0, void 0, function* () {
			retryNumber = Math.min(ExponentialBackoffCeiling, retryNumber);
			const ms = ExponentialBackoffTimeSlice * Math.pow(2, retryNumber);
			return new Promise((resolve) => setTimeout(() => resolve(), ms));
		});
	}
	_processResponse(res, options) {
		return __awaiter$9(this, void 0, void 0, function* () {
			return new Promise((resolve, reject) => __awaiter$9(this, void 0, void 0, function* () {
				const statusCode = res.message.statusCode || 0;
				const response = {
					statusCode,
					result: null,
					headers: {}
				};
				if (statusCode === HttpCodes.NotFound) resolve(response);
				function dateTimeDeserializer(key, value) {
					if (typeof value === "string") {
						const a = new Date(value);
						if (!isNaN(a.valueOf())) return a;
					}
					return value;
				}
				let obj;
				let contents;
				try {
					contents = yield res.readBody();
					if (contents && contents.length > 0) {
						if (options && options.deserializeDates) obj = JSON.parse(contents, dateTimeDeserializer);
						else obj = JSON.parse(contents);
						response.result = obj;
					}
					response.headers = res.message.headers;
				} catch (err) {}
				if (statusCode > 299) {
					let msg;
					if (obj && obj.message) msg = obj.message;
					else if (contents && contents.length > 0) msg = contents;
					else msg = `Failed request: (${statusCode})`;
					const err = new HttpClientError(msg, statusCode);
					err.result = response.result;
					reject(err);
				} else resolve(response);
			}));
		});
	}
};
const lowercaseKeys = (obj) => Object.keys(obj).reduce((c, k) => (c[k.toLowerCase()] = obj[k], c), {});
var __awaiter$8 = function(thisArg, _arguments, P, generator) {
	function adopt(value) {
		return value instanceof P ? value : new P(function(resolve) {
			resolve(value);
		});
	}
	return new (P || (P = Promise))(function(resolve, reject) {
		function fulfilled(value) {
			try {
				step(generator.next(value));
			} catch (e) {
				reject(e);
			}
		}
		function rejected(value) {
			try {
				step(generator["throw"](value));
			} catch (e) {
				reject(e);
			}
		}
		function step(result) {
			result.done ? resolve(result.value) : adopt(result.value).then(fulfilled, rejected);
		}
		step((generator = generator.apply(thisArg, _arguments || [])).next());
	});
};
var BearerCredentialHandler = class {
	constructor(token) {
		this.token = token;
	}
	prepareRequest(options) {
		if (!options.headers) throw Error("The request has no headers");
		options.headers["Authorization"] = `Bearer ${this.token}`;
	}
	canHandleAuthentication() {
		return false;
	}
	handleAuthentication() {
		return __awaiter$8(this, void 0, void 0, function* () {
			throw new Error("not implemented");
		});
	}
};
var __awaiter$7 = function(thisArg, _arguments, P, generator) {
	function adopt(value) {
		return value instanceof P ? value : new P(function(resolve) {
			resolve(value);
		});
	}
	return new (P || (P = Promise))(function(resolve, reject) {
		function fulfilled(value) {
			try {
				step(generator.next(value));
			} catch (e) {
				reject(e);
			}
		}
		function rejected(value) {
			try {
				step(generator["throw"](value));
			} catch (e) {
				reject(e);
			}
		}
		function step(result) {
			result.done ? resolve(result.value) : adopt(result.value).then(fulfilled, rejected);
		}
		step((generator = generator.apply(thisArg, _arguments || [])).next());
	});
};
var OidcClient = class OidcClient {
	static createHttpClient(allowRetry = true, maxRetry = 10) {
		const requestOptions = {
			allowRetries: allowRetry,
			maxRetries: maxRetry
		};
		return new HttpClient("actions/oidc-client", [new BearerCredentialHandler(OidcClient.getRequestToken())], requestOptions);
	}
	static getRequestToken() {
		const token = process.env["ACTIONS_ID_TOKEN_REQUEST_TOKEN"];
		if (!token) throw new Error("Unable to get ACTIONS_ID_TOKEN_REQUEST_TOKEN env variable");
		return token;
	}
	static getIDTokenUrl() {
		const runtimeUrl = process.env["ACTIONS_ID_TOKEN_REQUEST_URL"];
		if (!runtimeUrl) throw new Error("Unable to get ACTIONS_ID_TOKEN_REQUEST_URL env variable");
		return runtimeUrl;
	}
	static getCall(id_token_url) {
		return __awaiter$7(this, void 0, void 0, function* () {
			var _a;
			const id_token = (_a = (yield OidcClient.createHttpClient().getJson(id_token_url).catch((error) => {
				throw new Error(`Failed to get ID Token. \n 
        Error Code : ${error.statusCode}\n 
        Error Message: ${error.message}`);
			})).result) === null || _a === void 0 ? void 0 : _a.value;
			if (!id_token) throw new Error("Response json body do not have ID Token field");
			return id_token;
		});
	}
	static getIDToken(audience) {
		return __awaiter$7(this, void 0, void 0, function* () {
			try {
				let id_token_url = OidcClient.getIDTokenUrl();
				if (audience) id_token_url = `${id_token_url}&audience=${encodeURIComponent(audience)}`;
				debug(`ID token url is ${id_token_url}`);
				const id_token = yield OidcClient.getCall(id_token_url);
				setSecret(id_token);
				return id_token;
			} catch (error) {
				throw new Error(`Error message: ${error.message}`);
			}
		});
	}
};
var __awaiter$6 = function(thisArg, _arguments, P, generator) {
	function adopt(value) {
		return value instanceof P ? value : new P(function(resolve) {
			resolve(value);
		});
	}
	return new (P || (P = Promise))(function(resolve, reject) {
		function fulfilled(value) {
			try {
				step(generator.next(value));
			} catch (e) {
				reject(e);
			}
		}
		function rejected(value) {
			try {
				step(generator["throw"](value));
			} catch (e) {
				reject(e);
			}
		}
		function step(result) {
			result.done ? resolve(result.value) : adopt(result.value).then(fulfilled, rejected);
		}
		step((generator = generator.apply(thisArg, _arguments || [])).next());
	});
};
const { access, appendFile, writeFile } = promises;
const SUMMARY_ENV_VAR = "GITHUB_STEP_SUMMARY";
var Summary = class {
	constructor() {
		this._buffer = "";
	}
	filePath() {
		return __awaiter$6(this, void 0, void 0, function* () {
			if (this._filePath) return this._filePath;
			const pathFromEnv = process.env[SUMMARY_ENV_VAR];
			if (!pathFromEnv) throw new Error(`Unable to find environment variable for $${SUMMARY_ENV_VAR}. Check if your runtime environment supports job summaries.`);
			try {
				yield access(pathFromEnv, constants.R_OK | constants.W_OK);
			} catch (_a) {
				throw new Error(`Unable to access summary file: '${pathFromEnv}'. Check if the file has correct read/write permissions.`);
			}
			this._filePath = pathFromEnv;
			return this._filePath;
		});
	}
	wrap(tag, content, attrs = {}) {
		const htmlAttrs = Object.entries(attrs).map(([key, value]) => ` ${key}="${value}"`).join("");
		if (!content) return `<${tag}${htmlAttrs}>`;
		return `<${tag}${htmlAttrs}>${content}</${tag}>`;
	}
	write(options) {
		return __awaiter$6(this, void 0, void 0, function* () {
			const overwrite = !!(options === null || options === void 0 ? void 0 : options.overwrite);
			const filePath = yield this.filePath();
			yield (overwrite ? writeFile : appendFile)(filePath, this._buffer, { encoding: "utf8" });
			return this.emptyBuffer();
		});
	}
	clear() {
		return __awaiter$6(this, void 0, void 0, function* () {
			return this.emptyBuffer().write({ overwrite: true });
		});
	}
	stringify() {
		return this._buffer;
	}
	isEmptyBuffer() {
		return this._buffer.length === 0;
	}
	emptyBuffer() {
		this._buffer = "";
		return this;
	}
	addRaw(text, addEOL = false) {
		this._buffer += text;
		return addEOL ? this.addEOL() : this;
	}
	addEOL() {
		return this.addRaw(EOL);
	}
	addCodeBlock(code, lang) {
		const attrs = Object.assign({}, lang && { lang });
		const element = this.wrap("pre", this.wrap("code", code), attrs);
		return this.addRaw(element).addEOL();
	}
	addList(items, ordered = false) {
		const tag = ordered ? "ol" : "ul";
		const listItems = items.map((item) => this.wrap("li", item)).join("");
		const element = this.wrap(tag, listItems);
		return this.addRaw(element).addEOL();
	}
	addTable(rows) {
		const tableBody = rows.map((row) => {
			const cells = row.map((cell) => {
				if (typeof cell === "string") return this.wrap("td", cell);
				const { header, data, colspan, rowspan } = cell;
				const tag = header ? "th" : "td";
				const attrs = Object.assign(Object.assign({}, colspan && { colspan }), rowspan && { rowspan });
				return this.wrap(tag, data, attrs);
			}).join("");
			return this.wrap("tr", cells);
		}).join("");
		const element = this.wrap("table", tableBody);
		return this.addRaw(element).addEOL();
	}
	addDetails(label, content) {
		const element = this.wrap("details", this.wrap("summary", label) + content);
		return this.addRaw(element).addEOL();
	}
	addImage(src, alt, options) {
		const { width, height } = options || {};
		const attrs = Object.assign(Object.assign({}, width && { width }), height && { height });
		const element = this.wrap("img", null, Object.assign({
			src,
			alt
		}, attrs));
		return this.addRaw(element).addEOL();
	}
	addHeading(text, level) {
		const tag = `h${level}`;
		const allowedTag = [
			"h1",
			"h2",
			"h3",
			"h4",
			"h5",
			"h6"
		].includes(tag) ? tag : "h1";
		const element = this.wrap(allowedTag, text);
		return this.addRaw(element).addEOL();
	}
	addSeparator() {
		const element = this.wrap("hr", null);
		return this.addRaw(element).addEOL();
	}
	addBreak() {
		const element = this.wrap("br", null);
		return this.addRaw(element).addEOL();
	}
	addQuote(text, cite) {
		const attrs = Object.assign({}, cite && { cite });
		const element = this.wrap("blockquote", text, attrs);
		return this.addRaw(element).addEOL();
	}
	addLink(text, href) {
		const element = this.wrap("a", text, { href });
		return this.addRaw(element).addEOL();
	}
};
const summary = new Summary();
const { chmod, copyFile, lstat, mkdir, open, readdir, rename, rm, rmdir, stat, symlink, unlink } = fs.promises;
process.platform;
fs.constants.O_RDONLY;
process.platform;
events.EventEmitter;
events.EventEmitter;
os.platform();
os.arch();
var __awaiter = function(thisArg, _arguments, P, generator) {
	function adopt(value) {
		return value instanceof P ? value : new P(function(resolve) {
			resolve(value);
		});
	}
	return new (P || (P = Promise))(function(resolve, reject) {
		function fulfilled(value) {
			try {
				step(generator.next(value));
			} catch (e) {
				reject(e);
			}
		}
		function rejected(value) {
			try {
				step(generator["throw"](value));
			} catch (e) {
				reject(e);
			}
		}
		function step(result) {
			result.done ? resolve(result.value) : adopt(result.value).then(fulfilled, rejected);
		}
		step((generator = generator.apply(thisArg, _arguments || [])).next());
	});
};
var ExitCode;
(function(ExitCode) {
	ExitCode[ExitCode["Success"] = 0] = "Success";
	ExitCode[ExitCode["Failure"] = 1] = "Failure";
})(ExitCode || (ExitCode = {}));
function setSecret(secret) {
	issueCommand("add-mask", {}, secret);
}
function getInput(name, options) {
	const val = process.env[`INPUT_${name.replace(/ /g, "_").toUpperCase()}`] || "";
	if (options && options.required && !val) throw new Error(`Input required and not supplied: ${name}`);
	if (options && options.trimWhitespace === false) return val;
	return val.trim();
}
function setOutput(name, value) {
	if (process.env["GITHUB_OUTPUT"] || "") return issueFileCommand("OUTPUT", prepareKeyValueMessage(name, value));
	process.stdout.write(os$1.EOL);
	issueCommand("set-output", { name }, toCommandValue(value));
}
function debug(message) {
	issueCommand("debug", {}, message);
}
function info(message) {
	process.stdout.write(message + os$1.EOL);
}
function getIDToken(aud) {
	return __awaiter(this, void 0, void 0, function* () {
		return yield OidcClient.getIDToken(aud);
	});
}
function useEnvironmentProxy(environment) {
	const proxies = proxiesOf(environment);
	if (proxies) process.getBuiltinModule("node:http").setGlobalProxyFromEnv?.(proxies);
}
const thisMachine = "localhost,127.0.0.1,[::1]";
function proxiesOf(environment) {
	const http = proxyUrl(environment, "http_proxy");
	const https = proxyUrl(environment, "https_proxy");
	if (http === void 0 && https === void 0) return void 0;
	const exempt = environment["no_proxy"] ?? environment["NO_PROXY"];
	return {
		...http !== void 0 && { http_proxy: http },
		...https !== void 0 && { https_proxy: https },
		no_proxy: exempt ? `${exempt},${thisMachine}` : thisMachine
	};
}
function proxyUrl(environment, name) {
	const value = environment[name] ?? environment[name.toUpperCase()];
	if (value === void 0 || value === "") return void 0;
	const url = URL.parse(value.includes("://") ? value : `http://${value}`);
	if (url?.protocol === "http:" || url?.protocol === "https:") return url.href;
	throw new ConfigError("invalid-proxy", `The variable ${name} does not hold a proxy's address.`, { hint: "It looks like http://proxy.example.com:3128; only http and https proxies can be used." });
}
function prepareProcess(environment) {
	useEnvironmentProxy(environment);
	growNewSpace();
	for (const flag of memoryFlags) setFlagsFromString(flag);
}
const memoryFlags = [
	"--semi-space-growth-factor=1",
	"--min-semi-space-size=16",
	"--max-semi-space-size=16"
];
function growNewSpace() {
	setFlagsFromString("--semi-space-growth-factor=4");
	const outliving = [];
	while (newSpaceCapacity() < grown && outliving.length < plenty) outliving.push(Array.from({ length: 1e3 }, Number));
}
const grown = 3e6;
const plenty = 800;
function newSpaceCapacity() {
	const space = getHeapSpaceStatistics().find(({ space_name: name }) => name === "new_space");
	return space ? space.space_used_size + space.space_available_size : 0;
}
function systemRunner() {
	return {
		environment: process.env,
		input: getInput,
		print: info,
		mask: setSecret,
		setOutput,
		addSummary,
		...process.env["ACTIONS_ID_TOKEN_REQUEST_URL"] && { idToken: getIDToken },
		fetch: async (input, init) => globalThis.fetch(input, init),
		prepareProcess: () => prepareProcess(process.env),
		sleep: async (milliseconds) => {
			await setTimeout$1(milliseconds);
		},
		interruption: () => {
			const controller = new AbortController();
			for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => controller.abort());
			return controller.signal;
		}
	};
}
async function addSummary(markdown) {
	if (process.env["GITHUB_STEP_SUMMARY"]) await summary.addRaw(markdown, true).write();
}
process.exitCode = await runAction(systemRunner());
export {};
