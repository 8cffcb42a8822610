import { createRequire } from "node:module";
import { createHash, createPrivateKey } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, readdirSync, realpathSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { setImmediate, setTimeout as setTimeout$1 } from "node:timers/promises";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import * as os$1 from "os";
import os, { EOL } from "os";
import * as crypto$1 from "crypto";
import * as fs from "fs";
import { constants, promises } from "fs";
import "path";
import * as events from "events";
import "child_process";
import "timers";
import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";
import { styleText } from "node:util";
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
const shortest$1 = 8;
function createRedactor(onSecret) {
	const forms = new Map();
	let longestFirst = [];
	return {
		hide: (secret) => {
			const known = forms.size;
			for (const form of formsOf(secret)) if (!forms.has(form)) forms.set(form, new RegExp(writtenAnyhow(form), "gu"));
			if (forms.size === known) return;
			longestFirst = [...forms].toSorted(([a], [b]) => b.length - a.length).map(([, pattern]) => pattern);
			onSecret?.(secret);
		},
		redact: (text) => longestFirst.reduce((rest, pattern) => rest.replace(pattern, "***"), text)
	};
}
function formsOf(secret) {
	const lines = secret.split("\n").map((line) => line.trim());
	return [
		secret.trim(),
		...lines,
		...signatureOf(secret)
	].flatMap((text) => text.length < shortest$1 || isArmour(text) ? [] : [text, ...encodings(text)].flatMap(pieces));
}
const longest$1 = 2e3;
function pieces(text) {
	const amount = Math.ceil(text.length / longest$1);
	const size = Math.ceil(text.length / amount);
	return Array.from({ length: amount }, (_, index) => text.slice(index * size, (index + 1) * size));
}
function encodings(text) {
	const bytes = Buffer.from(text);
	const hex = bytes.toString("hex");
	return [
		bytes.toString("base64"),
		bytes.toString("base64url"),
		hex,
		hex.toUpperCase()
	];
}
function writtenAnyhow(text) {
	return Array.from(text, characterPattern).join("");
}
function characterPattern(character) {
	if (/[\dA-Za-z]/u.test(character)) return character;
	return `(?:${[literalPattern(character), ...escapesOf(character)].join("|")})`;
}
function escapesOf(character) {
	const code = character.codePointAt(0) ?? 0;
	const bytes = [...Buffer.from(character)].map((byte) => hexPattern(byte, 2));
	const units = character.split("").map((unit) => hexPattern(unit.charCodeAt(0), 4));
	const short = shortEscapes[character] ?? literalPattern(character);
	const name = entityNames[character];
	return [
		...character === " " ? [String.raw`\+`] : [],
		bytes.map((byte) => `%(?:25)*${byte}`).join(""),
		String.raw`\\+${short}`,
		units.map((unit) => String.raw`\\+u${unit}`).join(""),
		String.raw`&(?:amp;)*#(?:0*${code}|[xX]0*${hexPattern(code, 1)});`,
		...name === void 0 ? [] : [`&(?:amp;)*${name};`]
	];
}
function literalPattern(character) {
	return `\\u{${character.codePointAt(0)?.toString(16)}}`;
}
function hexPattern(code, digits) {
	return code.toString(16).padStart(digits, "0").replaceAll(/[a-f]/gu, (digit) => `[${digit}${digit.toUpperCase()}]`);
}
const shortEscapes = {
	"\n": "n",
	"\r": "r",
	"	": "t"
};
const entityNames = {
	"\"": "quot",
	"&": "amp",
	"'": "apos",
	"+": "plus",
	"/": "sol",
	"<": "lt",
	"=": "equals",
	">": "gt"
};
function signatureOf(secret) {
	const parts = secret.trim().split(".");
	return parts.length === 3 ? parts.slice(2) : [];
}
function isArmour(line) {
	return line.startsWith("-----") && !line.includes("\n");
}
function isObject$1(value) {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}
function isArray(value) {
	return Array.isArray(value);
}
function parseJson$2(text) {
	try {
		return JSON.parse(text);
	} catch {
		return;
	}
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
		if (!deepEqual(memberOf$2(a, member), memberOf$2(b, member))) return false;
		surplus += 1;
	}
	for (const _ in b) surplus -= 1;
	return surplus === 0;
}
function memberOf$2(object, member) {
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
function isTooDeep(value, levels = 500) {
	if (typeof value !== "object" || value === null) return false;
	if (levels === 0) return true;
	return (isArray(value) ? value : Object.values(value)).some((member) => isTooDeep(member, levels - 1));
}
function isEmpty$2(value) {
	return isNothing$1(value) || isArray(value) && value.length === 0;
}
function isNothing$1(value) {
	return value === void 0 || value === null;
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
function canonicalSegments(name) {
	if (/^[!#-~]*$/u.test(name)) return name.toLowerCase().split(".");
	return splitSegments(name).map(canonicalForm);
}
function splitSegments(name) {
	const segments = [""];
	for (const part of name.match(/"[^"]*"|\.|[^."]+|"/gu) ?? []) if (part === ".") segments.push("");
	else segments[segments.length - 1] += part.replaceAll("\"", "");
	return segments;
}
const invisible$1 = /[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}]/gu;
function canonicalForm(segment) {
	return segment.normalize("NFKC").replaceAll(invisible$1, "").toUpperCase().toLowerCase().replaceAll("ς", "σ").normalize("NFKC").trim();
}
function isBlank$1(name) {
	return !/\w/u.test(name) && canonicalSegments(name).every((segment) => segment === "");
}
function writeSegments(segments) {
	return segments.map((segment) => segment.includes(".") ? `"${segment}"` : segment).join(".");
}
const composable = /[^\0-\u02FF]/u;
function composed(text) {
	return composable.test(text) ? text.normalize("NFC") : text;
}
function contractLabel(identity) {
	return identity.fullyQualifiedName ?? qualifiedName(identity.name, identity.entity) ?? identity.name ?? identity.id ?? "a contract without a name";
}
function qualifiedNames({ fullyQualifiedName, entity }) {
	const ofAsset = entity?.fullyQualifiedName;
	return [fullyQualifiedName, ofAsset === fullyQualifiedName ? void 0 : ofAsset].filter((name) => name !== void 0).filter((name) => !isBlank$1(name));
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
	const key = writtenKey(kind, identity);
	return key === void 0 ? void 0 : composed(key);
}
function writtenKey(kind, identity) {
	const { id, fullyQualifiedName, name, entity } = identity;
	switch (kind) {
		case "id": return id;
		case "fullyQualifiedName": return fullyQualifiedName;
		case "name+entity.id": return attachedKey(name, entity?.id);
		case "name+entity.fullyQualifiedName": return attachedKey(name, entity?.fullyQualifiedName);
	}
}
function attachedKey(name, entity) {
	if (name === void 0 || entity === void 0) return void 0;
	return `${composed(name).length} ${name}${entity}`;
}
function strongestKind(identity) {
	return identityKinds.find((kind) => identityKey$1(kind, identity) !== void 0);
}
function lookupValue(identity) {
	const { id, fullyQualifiedName, name, entity } = identity;
	const ofAsset = entity?.id ?? entity?.fullyQualifiedName;
	const value = id ?? fullyQualifiedName ?? (name === void 0 ? void 0 : ofAsset);
	return value === void 0 ? void 0 : composed(value);
}
function lookupEntity(identity) {
	return strongestKind(identity) === "name+entity.id" ? attachedTo(identity) : void 0;
}
function attachedTo({ entity }) {
	return entity?.id !== void 0 && isUuid(entity.id) ? entity.id : void 0;
}
function isUuid(text) {
	return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/iu.test(text);
}
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
	if (wanted === void 0 || current === void 0) return [];
	if (composed(wanted) === composed(current)) return [];
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
const ownErrors = new Set(["contract-missing", "nested-too-deep"]);
function forbidsApply({ code, severity }) {
	return severity === "error" && !ownErrors.has(code);
}
function isIncomplete({ contracts }) {
	return contracts.some((contract) => hasErrors(contractProblems(contract)));
}
function isBreaking(contract) {
	return contractProblems(contract).some(({ impact }) => impact === "breaking");
}
function makePlan$1(catalogUrl, contracts, diagnostics, selection) {
	const sorted = sortContracts(contracts);
	return {
		formatVersion: "1.0",
		catalogUrl,
		planHash: planHash(sorted),
		errored: hasErrors(diagnostics) || sorted.some((contract) => contractProblems(contract).some(forbidsApply)),
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
function isProtected({ protocol, hostname }) {
	return protocol === "https:" || hostname === "localhost" || hostname === "[::1]" || /^127(?:\.\d+){3}$/u.test(hostname);
}
function withoutSecrets(text) {
	if (isPlain(text)) return text;
	const [scheme = "", rest = ""] = split(text.replaceAll(escapedSign, decodeURIComponent));
	const masked = `${scheme}${maskRest(rest)}`;
	return isPlain(masked) ? "***" : masked;
}
function maskRest(rest) {
	const at = rest.lastIndexOf("@");
	const inFront = rest.slice(0, Math.max(0, at));
	if (/[?#]/u.test(inFront)) return "***@***";
	return `${at < 0 ? "" : "***@"}${cutAtSign(rest.slice(at + 1))}`;
}
function isPlain(text) {
	const { protocol, search, hash } = URL.parse(text) ?? {};
	return (protocol === "https:" || protocol === "http:") && search === "" && hash === "" && !text.includes("@");
}
const escapedSign = /%(?:40|3[abdf]|23|26)/giu;
function split(text) {
	const [scheme = ""] = /^\s*[a-z][a-z\d+.-]*:[\\/]{2}/iu.exec(text) ?? [];
	return [scheme, text.slice(scheme.length)];
}
const secretSign = /[?#&;=\s]|:(?!\d+(?:[\\/]|$))(?![\da-f:.]*\])/iu;
function cutAtSign(text) {
	const sign = text.search(secretSign);
	return sign < 0 ? text : `${text.slice(0, sign + 1)}***`;
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
function chooseMethod(settings, hasIdToken) {
	const { token, issuer, method } = settings;
	if (token) return {
		method: "static-token",
		reason: `${token.origin} is set`,
		token
	};
	if (issuer === void 0) throw noToken();
	const client = clientOf(settings);
	if (method) return {
		method,
		reason: `auth.method is ${method}`,
		client
	};
	const [guessed, reason] = guessMethod(settings, hasIdToken);
	return {
		method: guessed,
		reason,
		client
	};
}
function guessMethod({ privateKey, clientSecret }, hasIdToken) {
	if (privateKey) return ["private-key-jwt", `${privateKey.origin} is set`];
	if (clientSecret) return ["client-secret-basic", `${clientSecret.origin} is set`];
	if (hasIdToken) return ["github-client-assertion", "there is no secret, and GitHub gives this workflow an ID token"];
	return ["device-login", "an issuer is set, and neither a secret nor an ID token of GitHub is at hand"];
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
	const complaint = url ? complaintAbout$1(url) : "is no URL";
	if (complaint === void 0) return;
	throw new ConfigError("invalid-issuer", `The issuer ${JSON.stringify(issuer)} ${complaint}.`, { hint: "It looks like https://id.example.com, and is what the discovery document calls \"issuer\"." });
}
function complaintAbout$1(url) {
	if (url.protocol !== "https:" && url.protocol !== "http:") return "is not an address of the web";
	if (url.username !== "" || url.password !== "") return "must not hold a user name or password";
	if (url.search !== "" || url.hash !== "") return "must not have a query or a fragment";
	return isProtected(url) ? void 0 : "would be sent secrets unencrypted";
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
		catalogUrl: plainUrl(read("catalog-url")),
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
function plainUrl(text) {
	return text === void 0 ? void 0 : withoutSecrets(text);
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
		issuer: plainUrl(read("auth-issuer")),
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
function inWordsOfInputs(plan) {
	return {
		...plan,
		diagnostics: plan.diagnostics.map(reword)
	};
}
function reword(diagnostic) {
	const hint = hints$1[diagnostic.code];
	return hint === void 0 ? diagnostic : {
		...diagnostic,
		hint
	};
}
const hints$1 = {
	"no-token": "Set the input `token`, or `auth-issuer` and `auth-client-id` with a secret or the permission `id-token: write`.",
	unauthorized: "The token may have expired, or belong to another catalog: renew what the input `token` or `auth-client-secret` holds.",
	"no-issuer": "Set the input `auth-issuer`.",
	"no-client-id": "Set the input `auth-client-id`.",
	"no-secret": "Set the input `auth-client-secret` or `auth-private-key`.",
	"plan-changed": "Undo what was edited in the catalog, or have the plan reviewed as it is now, in a new pull request.",
	"limit-exceeded": "If that is meant, raise `limits` in the configuration in the same pull request, where it is reviewed too.",
	"other-catalog": "Set the input `catalog-url` to the catalog that it was made for, or plan again.",
	"no-contracts": "Look at the inputs `paths` and `working-directory`, and at `contracts.include`.",
	"invalid-token": "Look at the secret that the input `token` is given."
};
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
function sanitizeLine(text) {
	return text.replaceAll(unprintable, escapeCharacter);
}
function escapeCharacter(character) {
	if (character === "\n") return String.raw`\n`;
	if (character === "	") return String.raw`\t`;
	const code = character.codePointAt(0) ?? 0;
	const hex = code.toString(16).toUpperCase();
	return code > 65535 ? `\\u{${hex}}` : `\\u${hex.padStart(4, "0")}`;
}
const longestQuote = 60;
function quote$1(text) {
	return `"${printable(text, longestQuote)}"`;
}
function printable(text, longest = 160) {
	return (text.length > longest ? `${text.slice(0, longest).toWellFormed()}…` : text).replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, escapeByCode);
}
function escapeByCode(character) {
	return `\\u{${character.codePointAt(0)?.toString(16)}}`;
}
function count$1(amount, singular, plural) {
	return `${amount} ${amount === 1 ? singular : plural}`;
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
	const complaint = complaintAbout(content);
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
function complaintAbout(plan) {
	const { catalogUrl, planHash, errored, contracts } = plan;
	if (typeof catalogUrl !== "string") return "it has no catalogUrl";
	if (typeof errored !== "boolean") return "it does not say whether it is errored";
	if (typeof planHash !== "string" && !errored) return "it has no planHash";
	if (!isArray(contracts)) return "it has no list of contracts";
	for (const [index, contract] of contracts.entries()) {
		if (!isObject$1(contract) || typeof contract["action"] !== "string") return `contract ${index} has no action`;
		if (!isAction(contract["action"])) return `contract ${index} has the unknown action ${quote$1(contract["action"])}`;
		if (contract["action"] === "update" && !isUpdate(contract)) return `contract ${index} is no complete update`;
	}
}
const actions = {
	update: true,
	blocked: true,
	unchanged: true,
	missing: true,
	unmanaged: true
};
function isAction(text) {
	return Object.hasOwn(actions, text);
}
function isUpdate(contract) {
	const { id, patch = null, guard = null, target, predictedVersions, changes } = contract;
	return typeof id === "string" && isPatch(patch) && isGuard(guard) && isObject$1(target) && isArray(predictedVersions) && isArray(changes);
}
function isPatch(value) {
	return (operationsOf(value)?.length ?? 0) > 0;
}
function isGuard(value) {
	return operationsOf(value)?.every(({ op }) => op === "test") ?? false;
}
function operationsOf(value) {
	try {
		return parsePatch(value);
	} catch (error) {
		if (error instanceof PatchError) return void 0;
		throw error;
	}
}
function notAPlan(file, complaint) {
	return new SyncError("not-a-plan", `${file} holds no plan: ${complaint}.`, { hint: "Write one with `contract-sync plan --out FILE`." });
}
function edited(file) {
	return new SyncError("plan-edited", `The plan in ${file} is not as it was written.`, { hint: "A plan is applied as it was made, or not at all: plan again." });
}
const severities = [
	"error",
	"warning",
	"information"
];
function countProblems(problems) {
	return severities.flatMap((wanted) => {
		const of = ofSeverity(problems, wanted).length;
		const word = wanted === "information" ? "remark" : wanted;
		return of > 0 ? [count$1(of, word, `${word}s`)] : [];
	}).join(", ");
}
function firstOfEachSeverity(problems, room) {
	return severities.flatMap((wanted) => ofSeverity(problems, wanted).slice(0, room[wanted]));
}
function ofSeverity(problems, wanted) {
	return problems.filter(({ severity }) => severity === wanted);
}
function isTold({ impact }) {
	return impact !== "information";
}
function sortByGravity(problems) {
	return problems.toSorted((a, b) => rank$1(a) - rank$1(b));
}
function rank$1({ severity, impact }) {
	return 2 * severities.indexOf(severity) + (impact === "breaking" ? 0 : 1);
}
function total(amount, words, gravity) {
	return amount > 0 ? [{
		words,
		...gravity && { gravity }
	}] : [];
}
function joinTotals(totals) {
	return totals.map(({ words }) => words).join(", ");
}
function describeValidation({ summary }) {
	const { contracts, files, errors, warnings } = summary;
	const inFiles = `in ${count$1(files, "file", "files")}`;
	const found = [...total(errors, count$1(errors, "error", "errors"), "error"), ...total(warnings, count$1(warnings, "warning", "warnings"), "warning")];
	return {
		verdict: joinTotals([{ words: `${count$1(contracts, "contract", "contracts")} ${inFiles}` }, ...found]),
		good: `${count$1(contracts, "good contract", "good contracts")} ${inFiles}`,
		found
	};
}
function describeContracts(plan, all = false) {
	const contracts = plan.contracts.filter((contract) => contract.action !== "unmanaged").filter((contract) => all || needsEyes(contract)).map((contract) => describeContract(contract, all));
	const transitions = findTransitions(contracts);
	return {
		contracts,
		transitions,
		moves: countMoves(transitions),
		unmanaged: plan.contracts.filter(({ action }) => action === "unmanaged").map(contractLabel)
	};
}
function needsEyes(contract) {
	if (contract.action === "unmanaged") return contract.inScope ?? false;
	return contract.action !== "unchanged" || contract.problems.length > 0;
}
function describeContract(contract, all) {
	const { action, source } = contract;
	const label = contractLabel(contract);
	const told = contract.problems.filter((problem) => all || isTold(problem)).map((problem) => ({
		...problem,
		contract: label,
		breaking: problem.impact === "breaking"
	}));
	const isReason = ({ severity }) => action === "missing" && severity !== "error";
	return {
		label,
		verdict: action,
		breaking: isBreaking(contract),
		source,
		problems: told.filter((problem) => !isReason(problem)),
		reasons: told.filter(isReason),
		..."changes" in contract ? describeUpdate(contract) : {
			changes: [],
			fields: []
		}
	};
}
function describeUpdate({ transition, changes, liveVersion, predictedVersions }) {
	const source = changes.find(isTransition)?.source;
	const expected = predictedVersions.join(" or ");
	return {
		...transition && { transition: {
			...transition,
			...source && { source }
		} },
		...liveVersion !== void 0 && { versions: {
			before: liveVersion,
			...expected !== "" && { expected }
		} },
		changes: changes.map(describeChange),
		fields: describeFields(changes.filter((change) => !isTransition(change)))
	};
}
function isTransition({ path }) {
	return path === "/entityStatus";
}
function describeFields(changes) {
	return [...Map.groupBy(changes, ({ path }) => path.split("/")[1] ?? "")].map(([field, edits]) => {
		const inside = edits.filter(({ path }) => path.split("/").length > 2);
		const elements = [
			"added",
			"removed",
			"changed"
		].map((sign) => ({
			sign,
			of: inside.filter(({ kind }) => signs$3[kind] === sign).length
		})).filter(({ of }) => of > 0);
		return {
			field,
			changes: edits.map(describeChange),
			elements
		};
	});
}
function describeChange({ kind, path, from = "", ...shown }) {
	const movement = `moved from ${lastToken(from)} to ${lastToken(path)}`;
	return {
		...shown,
		sign: signs$3[kind],
		...kind === "move" && { movement }
	};
}
const signs$3 = {
	add: "added",
	copy: "added",
	remove: "removed",
	replace: "changed",
	move: "changed",
	test: "changed"
};
function lastToken(pointer) {
	return pointer.slice(pointer.lastIndexOf("/") + 1);
}
function findTransitions(contracts) {
	return contracts.flatMap(({ verdict, label, transition }) => verdict === "update" && transition ? [{
		label,
		transition
	}] : []);
}
function countMoves(transitions) {
	const moves = transitions.map(({ transition: { from, to } }) => ({
		from,
		to
	}));
	return [...Map.groupBy(moves, (move) => JSON.stringify(move)).values()].flatMap(([move, ...same]) => move ? [{
		...move,
		of: 1 + same.length
	}] : []);
}
function renderPlanJson(plan, { all }) {
	const contracts = all ? plan.contracts : plan.contracts.filter(needsEyes);
	return formatDocument(sealPlan({
		...plan,
		contracts
	}));
}
function formatDocument(document) {
	return `${JSON.stringify(document, null, 2)}\n`;
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
function writeSummary(step, markdown) {
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
function landed(change, live, result, answered = live) {
	const changeDescription = answered.document["changeDescription"];
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
	if (version === void 0 || predictedVersions.includes(version) || predictedVersions.length === 0) return {};
	return {
		predictedVersions,
		note: `The catalog counts ${version} where ${predictedVersions.join(" or ")} was expected: somebody else may have changed it in between.`
	};
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
const certain = new Set([
	400,
	401,
	403,
	404
]);
const ofTests = new Set([400, 422]);
const refusals = {
	isRefusal: ({ status = 0, outcome }) => outcome === "none" && certain.has(status),
	isRefusedTest: ({ status = 0 }) => ofTests.has(status)
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
	complete: withEntityName,
	comparesNumbers: false,
	...refusals
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
const documented = {
	name: "documented",
	equivalence: {
		serverAdded: [],
		emptyIsAbsent: false
	},
	complete: (contract) => contract,
	comparesNumbers: true,
	...refusals
};
function guard(change, dialect, state = plannedState(change)) {
	const tests = stateTests(state, dialect);
	return tests.length === 0 ? void 0 : [...tests, ...valueTests(change, dialect)];
}
function hasMoved(change, live, dialect) {
	if (!hasSameState(plannedState(change), live, dialect)) return true;
	return valueTests(change, dialect).some((test) => !holds(test, live));
}
function hasSameState(before, after, dialect) {
	return deepEqual([...stateTests(before, dialect)], [...stateTests(after, dialect)]);
}
function plannedState({ liveVersion, liveUpdatedAt }) {
	return {
		...liveVersion !== void 0 && { version: liveVersion },
		...liveUpdatedAt !== void 0 && { updatedAt: liveUpdatedAt }
	};
}
function writeState({ version, updatedAt }) {
	return {
		...version !== void 0 && { version },
		...updatedAt !== void 0 && { updatedAt }
	};
}
function stateTests({ updatedAt, version }, dialect) {
	const tests = [];
	if (updatedAt !== void 0) tests.push({
		op: "test",
		path: "/updatedAt",
		value: updatedAt
	});
	const number = Number(version);
	if (dialect.comparesNumbers && Number.isFinite(number)) tests.push({
		op: "test",
		path: "/version",
		value: number
	});
	return tests;
}
function valueTests({ guard: tests }, { comparesNumbers }) {
	return comparesNumbers ? tests : tests.filter((test) => !("value" in test && Number.isInteger(test.value)));
}
function holds(test, { document }) {
	const place = parsePointer(test.path);
	return place !== void 0 && "value" in test && deepEqual(valueAt(document, place), test.value);
}
function isRepeatable(patch) {
	return patch.every(({ op, path }) => (op === "add" || op === "replace") && !/\/(?:-|\d+)(?:\/|$)/u.test(path));
}
function undelivered(change, dialect) {
	return {
		change,
		dialect,
		sendings: 0,
		mayHaveLanded: "no"
	};
}
function afterSending(delivery, mode, sent) {
	return {
		...delivery,
		sendings: delivery.sendings + Number(sent.kind !== "throttled"),
		last: {
			mode,
			sent
		},
		mayHaveLanded: chanceAfter(delivery.mayHaveLanded, sent)
	};
}
function chanceAfter(before, sent) {
	if (before === "maybe" || sent.kind === "throttled") return "maybe";
	if (sent.kind !== "lost") return before;
	return sent.error.outcome === "unknown" ? "maybe" : "hardly";
}
function couldLandTwice({ change, mayHaveLanded }) {
	return mayHaveLanded !== "no" && !isRepeatable(change.patch);
}
function errorOf({ last }) {
	return last && "error" in last.sent ? last.sent.error : void 0;
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
function parseRetryAfter(value, now) {
	if (value === null) return void 0;
	const text = value.trim();
	if (/^\d+$/u.test(text)) return Number(text) * 1e3;
	const date = /^[A-Z][a-z]{2}/u.test(text) ? Date.parse(text) : NaN;
	return Number.isNaN(date) ? void 0 : Math.max(0, date - now);
}
const pauses = {
	base: 500,
	longest: 2e4
};
function backOff(attempts, random, asked = 0) {
	return Math.round(asked + random() * Math.min(pauses.longest, pauses.base * 2 ** (attempts - 1)));
}
const mostAttempts = 4;
const longestAsked = 3e4;
async function retry$1(attempt, { sleep, random }, log) {
	for (let attempts = 1;; attempts += 1) {
		const result = await attempt();
		if ("value" in result) return result;
		const { transient = false, retryAfterMs = 0, message } = result.fault;
		if (!transient || attempts >= mostAttempts || retryAfterMs > longestAsked) return result;
		const wait = backOff(attempts, random, retryAfterMs);
		log(`${message} ${againIn(wait, attempts + 1, mostAttempts)}`);
		await sleep(wait);
	}
}
function againIn(milliseconds, attempt, mostAttempts) {
	return `Trying again in ${(milliseconds / 1e3).toFixed(1)} s (${attempt} of ${mostAttempts}).`;
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
		super(fault.code, `${fault.message} ${circumstances(request, fault, attempts)}`, fault);
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
		return encoder$1.encode(string);
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
var encoder$1, decoder$2, strictDecoder, UINT32_RANGE, NON_ASCII;
var init_buffer_utils = __esmMin((() => {
	encoder$1 = new TextEncoder();
	decoder$2 = new TextDecoder();
	strictDecoder = new TextDecoder("utf-8", { fatal: !0 });
	UINT32_RANGE = 2 ** 32;
	NON_ASCII = /[^\x00-\x7f]/;
}));
function decode$1(input) {
	try {
		return decodeBase64(typeof input == "string" ? input : decoder$2.decode(input), !0);
	} catch (cause) {
		throw new TypeError(invalid, { cause });
	}
}
var invalid;
var init_base64url = __esmMin((() => {
	init_buffer_utils();
	invalid = "The input to be decoded is not correctly encoded.";
}));
var JOSEError, JOSEAlgNotAllowed, JOSENotSupported, JWEDecryptionFailed, JWEInvalid, JWTInvalid;
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
	JWTInvalid = class extends JOSEError {
		static code = "ERR_JWT_INVALID";
		code = "ERR_JWT_INVALID";
	};
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
		return decode$1(value);
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
		parsed = JSON.parse(strictDecoder.decode(decode$1(encodedProtectedHeader)));
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
init_base64url();
init_buffer_utils();
init_validate();
init_errors();
function decodeJwt(jwt) {
	if (typeof jwt != "string") throw new JWTInvalid("JWTs must use Compact JWS serialization, JWT must be a string");
	const { 1: encodedPayload, length } = jwt.split(".");
	if (length === 5) throw new JWTInvalid("Only JWTs using Compact JWS serialization can be decoded");
	if (length !== 3) throw new JWTInvalid("Invalid JWT");
	if (!encodedPayload) throw new JWTInvalid("JWTs must contain a payload");
	let claimsSetBytes;
	try {
		claimsSetBytes = decode$1(encodedPayload);
	} catch (cause) {
		throw new JWTInvalid("Failed to base64url decode the payload", { cause });
	}
	let claimsSet;
	try {
		claimsSet = JSON.parse(strictDecoder.decode(claimsSetBytes));
	} catch (cause) {
		throw new JWTInvalid("Failed to parse the decoded payload as JSON", { cause });
	}
	if (!isObject(claimsSet)) throw new JWTInvalid("Invalid JWT Claims Set");
	return claimsSet;
}
const bearerToken = /^[A-Za-z0-9\-._~+/]+=*$/u;
function parseBearerToken(text) {
	const token = text.trim();
	if (token === "") throw invalidToken("is empty", "Set CONTRACT_SYNC_TOKEN, or give --token-file.");
	if (/\s/u.test(token)) throw invalidToken("contains white space", "Give the token alone, on one line and without the word \"Bearer\".");
	if (!bearerToken.test(token)) throw invalidToken("contains characters that no bearer token has", "Look for quotes or invisible characters that were copied along with it.");
	return token;
}
function invalidToken(complaint, hint) {
	return new ConfigError("invalid-token", `The access token ${complaint}.`, { hint });
}
function staticToken(token) {
	const bearer = parseBearerToken(token);
	return async () => bearer;
}
const lastInstant = 864e10;
function parseClaims(token) {
	const claims = decodeClaims(token);
	const subject = [
		"preferred_username",
		"email",
		"sub",
		"client_id"
	].map((name) => claims[name]).find((value) => typeof value === "string");
	const { exp } = claims;
	return {
		...subject !== void 0 && { subject },
		...typeof exp === "number" && Math.abs(exp) < lastInstant && { expiresAt: exp * 1e3 }
	};
}
function decodeClaims(token) {
	try {
		return decodeJwt(token);
	} catch {
		return {};
	}
}
const soon = 3e5;
function checkLifetime(token, origin, now) {
	const { expiresAt } = parseClaims(token);
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
function byteLength({ chunks }) {
	return chunks.reduce((sum, { length }) => sum + length, 0);
}
function bodyText({ chunks }) {
	const decoder = new TextDecoder();
	let text = "";
	for (const chunk of chunks) text += decoder.decode(chunk, { stream: true });
	return text + decoder.decode();
}
const largestBody = 64 * 2 ** 20;
const longestComplaint = 65536;
var LargeBodyError = class extends Error {};
async function readAnswer(response) {
	const { status, headers, body, ok } = response;
	const most = ok ? largestBody : longestComplaint;
	const { chunks, isCut } = body ? await readChunks(body.getReader(), most) : nothing$1;
	if (isCut && ok) throw new LargeBodyError(`the answer is larger than ${most / 2 ** 20} MB`);
	return {
		status,
		headers,
		type: headers.get("content-type"),
		chunks
	};
}
const nothing$1 = {
	chunks: [],
	isCut: false
};
async function readChunks(reader, most) {
	const chunks = [];
	let room = most;
	for (let read = await reader.read(); read.value; read = await reader.read()) {
		chunks.push(read.value.length > room ? read.value.slice(0, room) : read.value);
		room -= read.value.length;
		if (room >= 0) continue;
		await reader.cancel();
		return {
			chunks,
			isCut: true
		};
	}
	return {
		chunks,
		isCut: false
	};
}
var DeadlineError = class extends Error {
	name = "DeadlineError";
	constructor(phase, milliseconds) {
		super(`${phase === "headers" ? "did not answer" : "did not finish its answer"} within ${milliseconds / 1e3} seconds`);
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
function toNetworkFault(error) {
	const origin = originOf(error);
	return {
		kind: kindOf$2(error, origin),
		code: origin.code,
		message: origin.message,
		cause: error
	};
}
function kindOf$2(error, { code, message, syscall }) {
	if (error instanceof DeadlineError) return "timeout";
	if (error instanceof LargeBodyError) return "too-large";
	if (message === "bad port") return "forbidden-port";
	const [kind] = kindsByCode.find(([, codes]) => codes.test(code)) ?? [];
	if (kind) return kind;
	if (message.startsWith("Proxy response")) return "refused-by-proxy";
	return syscall === "connect" ? "unreachable" : "connection-lost";
}
const kindsByCode = [
	["unknown-host", /^ENOTFOUND$/u],
	["no-tls", /^(?:ERR_SSL_|EPROTO$)/u],
	["untrusted", /^(?:ERR_TLS_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH$)/u],
	["unreachable", /^(?:ECONNREFUSED|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$/u]
];
function originOf(error) {
	if (!(error instanceof Error)) return {
		code: "",
		message: String(error)
	};
	const { code, syscall, message, cause } = error;
	if (typeof code !== "string") return cause === void 0 ? {
		code: "",
		message
	} : originOf(cause);
	return {
		code,
		message: message || code,
		...syscall !== void 0 && { syscall }
	};
}
async function sendRequest(request, wire) {
	const deadline = startDeadline(wire.timeoutMs, request.signal);
	try {
		return await follow(request, wire, deadline);
	} catch (error) {
		if (request.signal?.aborted) throw error;
		return { fault: toNetworkFault(error) };
	} finally {
		deadline.end();
	}
}
const maxRedirects = 5;
async function follow(request, { fetch }, deadline) {
	const { method, url, headers, body = null, redirect: policy } = request;
	const { authorization, ...others } = headers;
	let at = url;
	let isHome = true;
	for (let hops = 0; hops <= maxRedirects; hops += 1) {
		deadline.begin("headers");
		const response = await fetch(at, {
			method,
			headers: isHome ? headers : others,
			body,
			redirect: "manual",
			signal: deadline.signal
		});
		deadline.begin("body");
		if (policy === "manual" || !isRedirect(response.status)) {
			const answer = await readAnswer(response);
			return answer.status === 401 && !isHome && authorization !== void 0 ? redirected(401, `to ${at.origin}, to which the access token is not sent`) : { answer };
		}
		await response.body?.cancel();
		const redirect = followRedirect(request, at, response);
		if ("fault" in redirect) return redirect;
		isHome &&= redirect.to.origin === at.origin;
		at = redirect.to;
	}
	return redirected(302, "again and again");
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
function followRedirect({ method, redirect }, at, { status, headers }) {
	const location = headers.get("location");
	const to = location === null ? null : URL.parse(location, at.href);
	if (to === null) return redirected(status, "to nowhere: it names no location");
	if (to.protocol !== "https:" && to.protocol !== "http:") return redirected(status, `to ${to.protocol}, which is not the web`);
	if (!isProtected(to) && isProtected(at)) return redirected(status, `to ${to.origin}, where the traffic would be unencrypted`);
	if (method !== "GET" && (to.origin !== at.origin || status === 303) || redirect === "refuse") return redirected(status, `a change to ${to.origin}, which is not followed`);
	return { to };
}
function redirected(status, whither) {
	return { fault: {
		kind: "redirected",
		code: "",
		message: whither,
		status
	} };
}
function networkFault(fault, host) {
	const { kind, code, message, status, cause } = fault;
	const { sentence, ...meaning } = certificates[code] ?? meanings[kind];
	const mayHaveLanded = meaning.mayHaveLanded || status === 303;
	return {
		...meaning,
		message: `${sentence(host, message, code)}.`,
		status,
		mayHaveLanded,
		cause
	};
}
const unsent = {
	code: "unreachable",
	transient: false,
	mayHaveLanded: false
};
const untrusted = {
	...unsent,
	code: "untrusted-certificate"
};
const meanings = {
	timeout: {
		code: "timeout",
		transient: true,
		mayHaveLanded: true,
		sentence: (host, message) => `${host} ${message}`,
		hint: "Allow more with --timeout, or ask for less at a time with --page-size."
	},
	"too-large": {
		code: "unexpected-answer",
		transient: false,
		mayHaveLanded: true,
		sentence: () => `The answer is larger than ${largestBody / 2 ** 20} MB`,
		hint: "Ask for less at a time with --page-size."
	},
	redirected: {
		code: "redirected",
		transient: false,
		mayHaveLanded: false,
		sentence: (_, message) => `The catalog redirects ${message}`,
		hint: "Set the catalog URL to the address at which the catalog itself answers."
	},
	"unknown-host": {
		...unsent,
		sentence: (host) => `There is no host named ${host}`,
		hint: "Check the catalog URL, and that this machine can resolve names of that network."
	},
	"forbidden-port": {
		...unsent,
		sentence: (host) => `${host} is not asked: its port belongs to another protocol than HTTP`,
		hint: "Check the port of the catalog URL."
	},
	"refused-by-proxy": {
		...unsent,
		sentence: (_, message) => `The proxy refuses to connect to the catalog: ${message}`,
		hint: "Check HTTPS_PROXY, with the user name and password that the proxy may want, and NO_PROXY."
	},
	"no-tls": {
		...untrusted,
		sentence: (host, _, code) => `${host} does not speak TLS on this port: ${code}`,
		hint: "Check the port of the catalog URL, and that it is not plain http."
	},
	untrusted: {
		...untrusted,
		sentence: (host, _, code) => `The certificate of ${host} is not trusted: ${code}`,
		hint: "If your organisation signs its own certificates, set NODE_EXTRA_CA_CERTS to its root certificate."
	},
	unreachable: {
		...unsent,
		transient: true,
		sentence: (host, message) => `No connection to ${host} could be made: ${message}`,
		hint: "Check the port of the catalog URL, VPN, firewall, and HTTPS_PROXY and NO_PROXY, which Node heeds from 24.14 on."
	},
	"connection-lost": {
		code: "connection-lost",
		transient: true,
		mayHaveLanded: true,
		sentence: (host, message) => `The connection to ${host} broke before the whole answer was here: ${message}`,
		hint: "Try again later; if it stays so, look for a proxy or load balancer on the way that cuts connections, or ask for less at a time with --page-size."
	}
};
const badTime = {
	...untrusted,
	sentence: (host, _, code) => `The certificate of ${host} is not valid at this time: ${code}`,
	hint: "Check this machine's clock; if it is right, ask the operators of the catalog to renew the certificate."
};
const certificates = {
	CERT_HAS_EXPIRED: badTime,
	CERT_NOT_YET_VALID: badTime,
	ERR_TLS_CERT_ALTNAME_INVALID: {
		...untrusted,
		sentence: (host, _, code) => `The certificate of ${host} is one for another host: ${code}`,
		hint: "Check the host of the catalog URL: the certificate has to name it."
	}
};
function serverReason(text) {
	const body = parseJson$2(text);
	const reason = body === void 0 ? htmlTitle(text) : jsonReason(body);
	return reason === void 0 ? void 0 : oneLine(reason) || void 0;
}
const longestReason = 300;
function oneLine(words) {
	const line = words.replaceAll(/[\s\p{Cc}]+/gu, " ").trim();
	return line.length > longestReason ? `${line.slice(0, longestReason)}…` : line;
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
	return /<title[^<>]*>([^<]*)/iu.exec(text)?.[1];
}
function statusFault(answer, operation, now) {
	const { status, headers } = answer;
	const code = codeOf(status);
	const { complaint, hint } = wordsFor(code, operation);
	const reason = serverReason(bodyText(answer));
	return {
		code,
		message: reason === void 0 ? `${complaint}.` : sentence(`${complaint}: ${reason}`),
		hint,
		status,
		requestId: requestIds.map((name) => headers.get(name) ?? void 0).find(Boolean),
		transient: transientStatuses.has(status),
		mayHaveLanded: status >= 500 || status === 408 || status === 429,
		retryAfterMs: parseRetryAfter(headers.get("retry-after"), now)
	};
}
function sentence(words) {
	return /[.!?…]$/u.test(words) ? words : `${words}.`;
}
const requestIds = [
	"x-request-id",
	"request-id",
	"x-correlation-id",
	"x-amzn-requestid"
];
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
function wordsFor(code, operation) {
	const purpose = purposes[operation];
	switch (code) {
		case "unauthorized": return {
			complaint: "The catalog rejected the access token",
			hint: "It may have expired, or belong to another catalog: contract-sync whoami tells whose it is and where it comes from (CONTRACT_SYNC_TOKEN, --token-file or an issuer)."
		};
		case "forbidden": return {
			complaint: `The owner of the access token lacks the permission to ${purpose}`,
			hint: `Ask an administrator of the catalog to let this user ${purpose}.`
		};
		case "not-found": return wordsForNothing(operation);
		case "rate-limited": return {
			complaint: "The catalog receives more requests than it allows",
			hint: "Try again later, or ask for less at once with --concurrency."
		};
		case "server-error": return {
			complaint: `The catalog failed when asked to ${purpose}`,
			hint: hints.timeout
		};
		default: return {
			complaint: `The catalog refused to ${purpose}`,
			hint: code === "bad-request" && operation === "patch" ? badPatch : hints[code]
		};
	}
}
function wordsForNothing(operation) {
	if (operation === "list" || operation === "search" || operation === "release") return {
		complaint: "There is no data contract service at this address",
		hint: "Check the catalog URL: it usually ends in /api."
	};
	return {
		complaint: `The catalog has no such data contract${operation === "version" ? ", or no such version of it" : ""}`,
		hint: "It may have been deleted since it was listed: plan again."
	};
}
const badPatch = "If the catalog names a value, correct it in the file; otherwise see with contract-sync doctor which release it is.";
const hints = {
	"bad-request": "Check the catalog URL, and see with contract-sync doctor which release it is.",
	conflict: "Somebody else may be changing it at this moment: plan again.",
	timeout: "Try again later; if it stays so, ask the operators of the catalog.",
	"too-large": "The catalog, or a proxy in front of it, limits the size of a request: ask its operators for more.",
	"unsupported-media-type": "The catalog takes a JSON Patch under neither of its media types: ask its operators, or those of a gateway in front of it."
};
async function attemptRequest(connection, request) {
	const token = parseBearerToken(await connection.token());
	const first = await attemptWith(token, connection, request);
	if (!("fault" in first) || first.fault.code !== "unauthorized") return first;
	const renewed = parseBearerToken(await connection.token(token));
	return renewed === token ? first : attemptWith(renewed, connection, request);
}
async function attemptWith(token, { effects, timeoutMs, version, log }, { operation, method, url, body, signal }) {
	const started = effects.now();
	const headers = {
		accept: "application/json",
		"user-agent": `contract-sync/${version}`,
		authorization: `Bearer ${token}`,
		...body && { "content-type": body.type }
	};
	const redirect = method === "GET" ? "follow" : "refuse";
	const reply = await sendRequest({
		method,
		url,
		headers,
		body: body?.text ?? null,
		redirect,
		signal
	}, {
		fetch: effects.fetch,
		timeoutMs
	});
	if ("fault" in reply) return { fault: networkFault(reply.fault, url.host) };
	const { answer } = reply;
	const size = answer.chunks.reduce((sum, { length }) => sum + length, 0);
	const ended = effects.now();
	log?.(`${method} ${displayUrl(url)}: ${answer.status}, ${(size / 1e3).toFixed(1)} kB in ${ended - started} ms`);
	return answer.status >= 200 && answer.status < 300 ? { value: answer } : { fault: statusFault(without(token, answer), operation, ended) };
}
function without(token, answer) {
	const { hide, redact } = createRedactor();
	hide(token);
	return {
		...answer,
		chunks: [new TextEncoder().encode(redact(bodyText(answer)))]
	};
}
function createPace() {
	let measure;
	let learnt;
	const interval = () => learnt && measure ? intervalAfter(measure.passed, learnt) : 0;
	return {
		interval,
		passed: () => {
			if (measure) measure.passed += 1;
		},
		refused: (now) => {
			const apart = measure && measure.passed > 0 ? (now - measure.from) / measure.passed : 0;
			if (measure && apart > 0) {
				if (learnt) learnt = learnMore(learnt, {
					apart,
					last: interval(),
					...measure
				});
				else if (now - measure.from >= firstMeasure) learnt = learnFirst(apart, measure);
				else return;
			}
			measure = {
				from: now,
				passed: 0
			};
		}
	};
}
const firstMeasure = 1e3;
const hope = 3;
const slowest = 1.25;
function learnFirst(apart, { passed }) {
	return {
		interval: apart / hope,
		longest: apart * slowest,
		trust: trustIn(passed)
	};
}
const margin = .98;
function learnMore({ longest }, { apart, last, passed }) {
	const between = Math.max(last, Math.sqrt(last * apart));
	return {
		interval: Math.min(longest, between / margin),
		longest,
		trust: trustIn(passed)
	};
}
function trustIn(passed) {
	return Math.min(400, Math.max(8, 8 * passed));
}
function intervalAfter(passed, { interval, trust }) {
	return interval / (1 + (passed / trust) ** 3);
}
function createPauses(patience) {
	const standings = new Map();
	const standingOf = (method) => standings.get(method) ?? good;
	let count = 0;
	let end = 0;
	return {
		count: () => count,
		end: () => end,
		begin: (method, now, { asked, isCertain }) => {
			const { refusals, waited } = standingOf(method);
			const own = isCertain ? ownPause(refusals + 1, asked) : uncertain;
			const pause = Math.max(Math.min(own, patience), asked ?? 0);
			if (isCertain) standings.set(method, {
				refusals: refusals + 1,
				waited: waited + pause
			});
			count += 1;
			end = now + pause;
			return pause;
		},
		prolong: (now, asked = 0) => {
			if (asked <= Math.max(0, end - now)) return false;
			count += 1;
			end = now + asked;
			return true;
		},
		passed: (method) => standings.delete(method),
		areTooLong: (method, now) => end - now > patience || standingOf(method).waited > patience
	};
}
const good = {
	refusals: 0,
	waited: 0
};
const shortest = 50;
const longest = 2e4;
const growth = 1.5;
const uncertain = 500;
const believed = 3;
function ownPause(refusals, asked) {
	const doubts = asked === void 0 ? refusals : refusals - believed;
	return doubts > 0 ? Math.min(longest, shortest * growth ** (doubts - 1)) : 0;
}
function createTurns(patience) {
	const pauses = createPauses(patience);
	const pace = createPace();
	let nextStart = 0;
	const stands = ({ pause }) => pause === pauses.count();
	return {
		take: (now) => {
			const start = Math.max(now, nextStart, pauses.end());
			nextStart = start + pace.interval();
			return {
				start,
				pause: pauses.count()
			};
		},
		stands,
		passed: (method, turn) => {
			pauses.passed(method);
			if (stands(turn)) pace.passed();
			return stands(turn);
		},
		refused: (method, turn, { now, ...refusal }) => {
			if (!stands(turn)) {
				if (pauses.prolong(now, refusal.asked)) nextStart = 0;
				return;
			}
			pace.refused(now);
			nextStart = 0;
			return pauses.begin(method, now, refusal);
		},
		resumeAt: pauses.end,
		areTooLate: pauses.areTooLong
	};
}
function createGate(options) {
	const { patience, receptionOf, onPause, effects } = options;
	const turns = createTurns(patience);
	const inFlight = createInFlight(options.most);
	let lastFault;
	async function takeTurn({ method, ends }) {
		for (;;) {
			if (ends?.aborted) return { kind: "ended" };
			const now = effects.now();
			const fault = turns.areTooLate(method, now) ? lastFault : void 0;
			const resumesIn = turns.resumeAt() - now;
			if (fault !== void 0) return {
				kind: "too-late",
				fault,
				resumesIn,
				patience
			};
			const turn = turns.take(now);
			if (turn.start > now) await sleepOrEnd(turn.start - now, ends, effects);
			if (turns.stands(turn) && !ends?.aborted) return turn;
		}
	}
	function note(method, turn, reply) {
		const reception = "value" in reply ? passed : receptionOf(reply.fault);
		if (reception.kind === "passed" && turns.passed(method, turn)) inFlight.grow();
		if (reception.kind !== "refused" || "value" in reply) return;
		const { fault } = reply;
		lastFault = fault;
		const now = effects.now();
		const milliseconds = turns.refused(method, turn, {
			now,
			...reception
		});
		if (milliseconds === void 0) return;
		const atOnce = inFlight.halve();
		if (!turns.areTooLate(method, now)) onPause({
			milliseconds,
			atOnce,
			fault
		});
	}
	return async (wish, send) => inFlight.slots(async () => {
		const turn = await takeTurn(wish);
		if ("kind" in turn) return { closed: turn };
		const reply = await send();
		note(wish.method, turn, reply);
		return reply;
	});
}
async function sleepOrEnd(milliseconds, ends, { sleep }) {
	await sleep(Math.ceil(milliseconds), ends).catch((error) => {
		if (!ends?.aborted) throw error;
	});
}
const passed = { kind: "passed" };
const successesForOneMore = 10;
function createInFlight(most) {
	const slots = pLimit(most);
	let allowed = most;
	let successes = 0;
	return {
		slots,
		grow: () => {
			successes += 1;
			if (successes % successesForOneMore === 0) allowed = Math.min(most, allowed + 1);
			if (slots.concurrency < allowed) slots.concurrency += 1;
		},
		halve: () => {
			allowed = Math.max(1, Math.floor(Math.min(allowed, slots.activeCount) / 2));
			successes = 0;
			slots.concurrency = 1;
			return allowed;
		}
	};
}
const defaultPatience = 6e5;
function openGate(connection) {
	const { concurrency = Infinity, timeoutThrottledMs, effects, log, onRetry = log } = connection;
	return createGate({
		most: concurrency,
		patience: timeoutThrottledMs ?? defaultPatience,
		receptionOf,
		onPause: pauseReporter(effects, onRetry),
		effects
	});
}
function receptionOf(fault) {
	const { status, retryAfterMs: asked } = fault;
	if (status === 429 || status === 503) return {
		kind: "refused",
		asked,
		isCertain: isThrottled$2(fault)
	};
	return { kind: status !== void 0 && status < 500 ? "passed" : "unclear" };
}
function isThrottled$2({ status, retryAfterMs }) {
	return status === 429 || status === 503 && retryAfterMs !== void 0;
}
const reportEvery = 5e3;
function pauseReporter({ now }, report = () => void 0) {
	let reportedAt = -Infinity;
	return (pause) => {
		if (pause.milliseconds < reportEvery && now() - reportedAt < reportEvery) return;
		reportedAt = now();
		report(describePause(pause));
	};
}
function describePause({ milliseconds, atOnce, fault }) {
	const reason = fault.status === 503 ? "The catalog is too busy" : "The catalog allows fewer requests";
	const seconds = Number((milliseconds / 1e3).toFixed(1));
	const speed = atOnce === 1 ? "one at a time" : `${atOnce} at once`;
	return `${reason}: ${seconds > 0 ? `waiting ${seconds} s, then ` : ""}${speed}.`;
}
function notSent(request, closed) {
	return new ApiError(request, closed.kind === "ended" ? interrupted : tooLate(closed), 0);
}
const interrupted = {
	code: "interrupted",
	message: "The run was interrupted before this request was sent.",
	transient: false,
	mayHaveLanded: false
};
function tooLate({ fault, resumesIn, patience }) {
	const complaint = resumesIn > patience ? `It asks for a pause of ${inSeconds(resumesIn)}, longer than the ${inSeconds(patience)} allowed.` : `It let nothing through for ${inSeconds(patience)}.`;
	return {
		code: "throttled-too-long",
		message: `${fault.message} ${complaint}`,
		hint: "Run again later, ask for less at once with --concurrency, or wait longer with --timeout-throttled.",
		transient: false,
		mayHaveLanded: false
	};
}
function inSeconds(milliseconds) {
	return count$1(Number((milliseconds / 1e3).toFixed(1)), "second", "seconds");
}
const retryPolicy = {
	attempts: 5,
	firstContact: 2,
	longestAsked: 12e4,
	budget: 60,
	earned: .5
};
function createSender(connection) {
	let budget = retryPolicy.budget;
	let mostAttempts = retryPolicy.firstContact;
	const gate = openGate(connection);
	const attempt = async (request, read, failure) => {
		const sent = await passGate(gate, request, {
			connection,
			failure
		});
		const result = "fault" in sent ? sent : await read(sent.value);
		if (isAnswered$1(result)) mostAttempts = retryPolicy.attempts;
		return result;
	};
	const waitForRetry = async (request, fault, failure) => {
		const { attempts } = failure;
		const wait = waitBeforeRetry(request.method, fault, attempts, connection.effects.random);
		const price = fault.retryAfterMs === void 0 ? 1 : 0;
		if (wait === void 0 || budget < price || attempts >= mostAttempts) throw failure;
		budget -= price;
		await waitToRetry(wait, request, connection, {
			failure,
			again: `${fault.message} ${againIn(wait, attempts + 1, mostAttempts)}`
		});
	};
	return async (request, read, first) => {
		let attempts = 1;
		let result = first ? await read(first) : await attempt(request, read);
		while ("fault" in result) {
			request.signal?.throwIfAborted();
			const failure = new ApiError(request, result.fault, attempts);
			if (request.method !== "GET" || !isThrottled$2(result.fault)) {
				await waitForRetry(request, result.fault, failure);
				attempts += 1;
			}
			result = await attempt(request, read, failure);
		}
		budget = Math.min(retryPolicy.budget, budget + retryPolicy.earned);
		return result.value;
	};
}
async function passGate(gate, request, { connection, failure }) {
	const sent = await gate({
		method: request.method,
		ends: endOf$2(request)
	}, async () => attemptRequest(connection, request));
	if (!("closed" in sent)) return sent;
	request.signal?.throwIfAborted();
	const { closed } = sent;
	throw closed.kind === "ended" && failure || notSent(request, closed);
}
function endOf$2({ signal, lastTry }) {
	return signal && lastTry ? AbortSignal.any([signal, lastTry]) : signal ?? lastTry;
}
async function waitToRetry(wait, request, { effects, log, onRetry = log }, { failure, again }) {
	const { method, url, lastTry } = request;
	if (lastTry?.aborted) throw failure;
	onRetry?.(`${method} ${displayUrl(url)}: ${again}`);
	try {
		await effects.sleep(wait, endOf$2(request));
	} catch (error) {
		throw lastTry?.aborted ? failure : error;
	}
	if (lastTry?.aborted) throw failure;
}
function isAnswered$1(result) {
	return "value" in result || result.fault.code !== "unreachable";
}
function waitBeforeRetry(method, fault, attempts, random) {
	if (!(method === "GET" || !fault.mayHaveLanded) || !fault.transient || attempts >= retryPolicy.attempts) return void 0;
	return waitAfter(attempts, random, fault.retryAfterMs);
}
function waitAfter(attempts, random, asked = 0) {
	return asked > retryPolicy.longestAsked ? void 0 : backOff(attempts, random, asked);
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
	notAttempted: {
		code: "interrupted",
		message: "Not attempted: the run was interrupted.",
		hint: "Apply again: what has landed is not sent twice."
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
		message: `The catalog accepted the patch; whether it stored the change could not be read: ${why}`,
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
async function sendPatch(id, patch, { writer, signal, patience }, dialect) {
	try {
		const live = await writer.patch(id, patch, signal);
		patience.noteAnswer();
		return {
			kind: "answered",
			live
		};
	} catch (error) {
		if (!(error instanceof ApiError)) return {
			kind: "unsent",
			error
		};
		if (isThrottled$1(error) && patience.takesAnother()) return {
			kind: "throttled",
			error
		};
		if (dialect.isRefusal(error)) return {
			kind: "refused",
			error
		};
		return {
			kind: wasNeverSent(error) ? "unsent" : "lost",
			error
		};
	}
}
const mostThrottled = 1e3;
function createPatience() {
	let inRow = 0;
	return {
		noteAnswer: () => {
			inRow = 0;
		},
		takesAnother: () => {
			inRow += 1;
			return inRow <= mostThrottled;
		}
	};
}
function isThrottled$1({ code, status, retryAfterMs }) {
	return code === "rate-limited" || status === 503 && retryAfterMs !== void 0;
}
function wasNeverSent({ outcome, status }) {
	return outcome === "none" && status === void 0;
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
	const identityOf = (element) => (key && keyOf$1(element, key)) ?? `#=${textInAnyOrder(element, unordered)}`;
	return {
		live: arrays.live.map(identityOf),
		desired: arrays.desired.map(identityOf)
	};
}
function elementKey(element, arrayName, options = {}) {
	return keyMembers(element, arrayName, options)?.map(([, value]) => value).join(" ");
}
function keyMembers(element, arrayName, { keys } = {}) {
	for (const key of candidateKeys(arrayName, keys)) {
		const values = keyValues(element, key);
		if (values) return key.map((member, index) => [member, values[index] ?? null]);
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
		const text = keyOf$1(element, key);
		if (text === void 0) return void 0;
		texts.push(text);
	}
	return new Set(texts).size === texts.length ? texts : void 0;
}
function isKnown(key, elements, mayRepeat) {
	const found = elements.map((element) => keyOf$1(element, key)).filter((text) => text !== void 0);
	return found.length > 0 && (mayRepeat || new Set(found).size === found.length);
}
function keyOf$1(element, key) {
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
	if (at.emptyIsAbsent && isEmpty$2(value)) return true;
	return at.ignore.below(member).isMatch || at.fill.below(member).isMatch;
}
function completeMember(live, desired, at, member) {
	const before = Object.hasOwn(live, member) ? live[member] : void 0;
	const ignore = at.ignore.below(member);
	const wanted = desired[member] ?? null;
	if (ignore.isMatch || at.emptyIsAbsent && isEmpty$2(before) && isEmpty$2(wanted)) return before;
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
	return emptyIsAbsent && isEmpty$2(current) && isEmpty$2(wanted);
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
function moveEdits(links, section) {
	const waiting = links.filter(({ kind }) => kind === "moved").toSorted(furthestLast);
	if (waiting.length === 0) return [];
	const edits = [];
	const arrangement = arrange(links, section.live.length, section.desired.length);
	const path = formatPointer(section.place.live);
	const next = () => takeNext(waiting, arrangement, section);
	for (let step = next(); step; step = next()) {
		settle(step.link, arrangement);
		edits.push(...stepEdits(step, section, path));
	}
	return edits;
}
function takeNext(waiting, arrangement, section) {
	const last = waiting.pop();
	if (!last) return void 0;
	const step = {
		link: last,
		hop: hopOf(last, arrangement)
	};
	if (!isRefused(step.hop, section)) return step;
	const better = waiting.findLastIndex((link) => !isRefused(hopOf(link, arrangement), section));
	if (better < 0) return step;
	const [link = last] = waiting.splice(better, 1);
	waiting.push(last);
	return {
		link,
		hop: hopOf(link, arrangement)
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
function arrange(links, live, desired) {
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
		waiting: fenwickTreeOf(waiting.map((link) => link.live), live),
		settled: fenwickTreeOf(kept.map((link) => link.desired), desired),
		nextKept,
		lastKept
	};
}
function hopOf({ live, desired }, arrangement) {
	const { waiting, settled } = arrangement;
	const from = countBelow(settled, arrangement.nextKept[live] ?? 0) + countBelow(waiting, live);
	const to = countBelow(settled, desired) + countBelow(waiting, arrangement.lastKept[desired] ?? 0);
	return {
		from,
		to: to > from ? to - 1 : to
	};
}
function settle({ live, desired }, { waiting, settled }) {
	count(waiting, live, -1);
	count(settled, desired, 1);
}
function fenwickTreeOf(indices, length) {
	const tally = new Int32Array(length + 1);
	for (const index of indices) tally[index + 1] = 1;
	for (let node = 1; node < tally.length; node += 1) {
		const parent = node + (node & -node);
		if (parent < tally.length) tally[parent] = (tally[parent] ?? 0) + (tally[node] ?? 0);
	}
	return tally;
}
function count(tally, index, by) {
	for (let node = index + 1; node < tally.length; node += node & -node) tally[node] = (tally[node] ?? 0) + by;
}
function countBelow(tally, index) {
	let sum = 0;
	for (let node = index; node > 0; node -= node & -node) sum += tally[node] ?? 0;
	return sum;
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
async function readStored(changes, run) {
	if (changes.length === 0) return () => ({ kind: "gone" });
	return run.reader.fetchContract ? fetchEach(changes, run) : listAll$1(changes, run);
}
async function fetchEach(changes, run) {
	const stored = await pLimit(run.concurrency).map(changes, async (change) => {
		const read = async () => run.reader.fetchContract?.(change.id, fieldsOf([change]), run.lastRead);
		return [change.id, await look(read, run)];
	});
	const byId = new Map(stored);
	return ({ id }) => byId.get(id) ?? { kind: "gone" };
}
async function look(read, run) {
	try {
		const live = await read();
		return live ? {
			kind: "seen",
			live
		} : { kind: "gone" };
	} catch (error) {
		return failureOf$1(error, run);
	}
}
function failureOf$1(error, { lastRead }) {
	return lastRead.aborted ? { kind: "interrupted" } : {
		kind: "unreadable",
		error
	};
}
async function listAll$1(changes, run) {
	const wanted = new Set(changes.map(({ id }) => id));
	const found = new Map();
	const rest = await takeWanted(wanted, found, run.reader.list(queryOf(changes), run.lastRead)).then(() => ({ kind: "gone" })).catch((error) => failureOf$1(error, run));
	return ({ id }) => found.get(id) ?? rest;
}
async function takeWanted(wanted, found, pages) {
	for await (const { contracts } of pages) {
		for (const live of contracts.filter(({ id }) => wanted.delete(id))) found.set(live.id, {
			kind: "seen",
			live
		});
		if (wanted.size === 0) return;
	}
}
function queryOf(changes) {
	const entities = changes.map(({ entityId }) => entityId).filter((id) => id !== void 0);
	const areAllKnown = entities.length === changes.length;
	return {
		fields: fieldsOf(changes),
		...areAllKnown && { entities: [...new Set(entities)] }
	};
}
function fieldsOf(changes) {
	return optionalFields.filter((field) => changes.some(({ target }) => Object.hasOwn(target, field)));
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
function differences({ target }, live, { equivalence, arrays }) {
	const wanted = targetDocument(live, target, equivalence, arrays);
	return diff(live.document, wanted, arrays).map((edit) => edit.desired ? labelPointer(edit.desired, wanted, arrays) : labelPointer(edit.live ?? [], live.document, arrays));
}
function settleUnread(delivery) {
	const { change, dialect, last, mayHaveLanded } = delivery;
	if (!last || mayHaveLanded !== "no") return void 0;
	const { sent } = last;
	return sent.kind === "unsent" || sent.kind === "refused" && !dialect.isRefusedTest(sent.error) ? notLanded(change, "failed", explain$1(sent.error)) : void 0;
}
function settleStored(delivery, stored, comparing) {
	switch (stored.kind) {
		case "seen": return settleSeen(delivery, stored.live, comparing);
		case "gone": return settled$1(unseen(delivery, reasons.gone, "stale"));
		case "interrupted": return settled$1(abandon(delivery, reasons.interrupted));
		case "unreadable": return settled$1(unseen(delivery, unreadable$1(delivery, explain$1(stored.error)), "failed"));
	}
}
function settled$1(outcome) {
	return {
		kind: "settled",
		outcome
	};
}
function answerTo({ last }) {
	return last?.sent.kind === "answered" ? last.sent.live : void 0;
}
function isAnswered(delivery) {
	return answerTo(delivery) !== void 0;
}
function unseen(delivery, why, result) {
	const { change } = delivery;
	return isAnswered(delivery) ? notLanded(change, "unverified", reasons.unverified(why.message)) : notLanded(change, result, why);
}
function unreadable$1(delivery, why) {
	if (isAnswered(delivery)) return why;
	if (delivery.mayHaveLanded !== "no") return reasons.unknown(why.message);
	const error = errorOf(delivery);
	return error === void 0 ? why : reasons.refused({
		...explain$1(error),
		why: why.message
	});
}
function abandon(delivery, why) {
	const { change, mayHaveLanded } = delivery;
	if (isAnswered(delivery)) return notLanded(change, "unverified", reasons.unverified(why.message));
	if (mayHaveLanded === "no") return skipped(change, why);
	return notLanded(change, "failed", reasons.unknown(why.message));
}
function settleSeen(delivery, live, comparing) {
	const { change, dialect, mayHaveLanded } = delivery;
	const missing = missingFrom(live, change, comparing);
	const isOurs = isAnswered(delivery) || mayHaveLanded !== "no";
	if (missing.length === 0) return settled$1(landed(change, live, isOurs ? "applied" : "unchanged", answerTo(delivery)));
	const seen = {
		live,
		differences: missing
	};
	const moved = hasMoved(change, live, dialect);
	if (isAnswered(delivery)) return settled$1(notLanded(change, "unverified", moved ? reasons.differs(missing) : reasons.storedNothing(missing), seen));
	if (!moved) return settleUnmoved(delivery, live);
	return settled$1(notLanded(change, "stale", isOurs ? reasons.movedOn(live.version) : reasons.moved(live.version), seen));
}
function settleUnmoved(delivery, live) {
	const { dialect, last, sendings } = delivery;
	const open = {
		kind: "open",
		delivery: {
			...delivery,
			state: writeState(live)
		}
	};
	if (!last || last.sent.kind === "answered" || last.sent.kind === "throttled") return open;
	const { mode, sent } = last;
	if (sent.kind === "unsent") return settled$1(failed$1(delivery));
	if (mode === "guarded" && dialect.isRefusedTest(sent.error)) return {
		kind: "doubtful",
		delivery,
		live
	};
	return sent.kind === "lost" && canHelp(sent.error, sendings) ? open : settled$1(failed$1(delivery));
}
function canHelp({ code, outcome, retryAfterMs = 0 }, sendings) {
	if (code === "unsupported-media-type") return sendings < 2;
	return outcome === "unknown" && sendings < retryPolicy.attempts && retryAfterMs <= retryPolicy.longestAsked;
}
function decide({ delivery }, tests) {
	if (tests !== "refused") return settled$1(failed$1(delivery));
	const mayHaveLanded = delivery.mayHaveLanded === "hardly" ? "no" : delivery.mayHaveLanded;
	return {
		kind: "open",
		delivery: {
			...delivery,
			mayHaveLanded
		}
	};
}
function failed$1(delivery) {
	const told = explain$1(errorOf(delivery));
	const reason = delivery.mayHaveLanded === "maybe" ? reasons.mayStillLand(told) : told;
	return notLanded(delivery.change, "failed", reason);
}
async function deliver(delivery, run) {
	const { change, dialect, state } = delivery;
	const mode = run.guardMode.current();
	const tests = guard(change, dialect, state);
	if (!tests) return settled$1(skipped(change, reasons.unguardable));
	if (couldLandTwice(delivery) && !await isSafe(delivery, mode, run)) return withoutSending(delivery, run);
	const patch = mode === "guarded" ? [...tests, ...change.patch] : change.patch;
	let next = delivery;
	do
		next = afterSending(next, mode, await sendPatch(change.id, patch, run, dialect));
	while (isThrottled(next) && !run.signal?.aborted && await isSafe(next, mode, run));
	noteSending(next, run);
	const outcome = isGivenUp(next, run) ? abandon(next, reasons.notAttempted) : settleUnread(next);
	return outcome ? settled$1(outcome) : {
		kind: "open",
		delivery: next
	};
}
function withoutSending(delivery, { guardMode, signal }) {
	const sendings = delivery.sendings + 1;
	if (!(guardMode.current() === "guarded" && sendings < retryPolicy.attempts) || signal?.aborted) return settled$1(failed$1(delivery));
	return {
		kind: "open",
		delivery: {
			...delivery,
			sendings
		}
	};
}
async function isSafe({ change }, mode, { guardMode }) {
	return mode === "guarded" && guardMode.isProven(change);
}
function isThrottled({ last }) {
	return last?.sent.kind === "throttled";
}
function isGivenUp({ last, mayHaveLanded }, { signal }) {
	return signal?.aborted === true && last?.sent.kind === "unsent" && mayHaveLanded === "no";
}
function noteSending({ change, last }, run) {
	const isAnswered = last?.sent.kind === "answered";
	run.stopRule.noteSent(isAnswered);
	if (!isAnswered) return;
	if (last.mode === "guarded") run.guardMode.noteAccepted();
	run.onAnswer?.(change);
}
async function playRound(deliveries, run) {
	const { sent, held } = await (run.guardMode.current() === "guarded" ? sendAll : readAndSend)(deliveries, run);
	await pause(sent, run);
	const open = await settleAll(sent, run);
	run.stopRule.noteRead(open.length);
	return [...open, ...held];
}
async function sendAll(deliveries, run) {
	const sent = [];
	const held = [];
	const mode = run.guardMode.current();
	await pLimit(run.concurrency).map(deliveries, async (delivery) => {
		if (!(run.stopRule.mayGoOn() && run.guardMode.current() === mode)) return void held.push(delivery);
		const next = await deliver(delivery, run).catch(unforeseen(delivery));
		if (next.kind === "settled") run.report(delivery.change, next.outcome);
		else sent.push(next.delivery);
	});
	return {
		sent,
		held
	};
}
const readTogether = 50;
async function readAndSend(deliveries, run) {
	const sent = [];
	const held = [];
	for (let start = 0; start < deliveries.length; start += readTogether) {
		const together = deliveries.slice(start, start + readTogether);
		const stage = !run.stopRule.mayGoOn() ? {
			sent: [],
			held: together
		} : await sendAll(await settleAll(together, run), run);
		sent.push(...stage.sent);
		held.push(...stage.held);
	}
	return {
		sent,
		held
	};
}
function unforeseen({ change }) {
	return (error) => settled$1(notLanded(change, "failed", reasons.unforeseen(explain$1(error).message)));
}
async function pause(sent, run) {
	const lost = sent.flatMap(({ last, sendings }) => last?.sent.kind === "lost" && last.sent.error.outcome === "unknown" ? [{
		sendings,
		...last.sent
	}] : []);
	const [first] = lost;
	if (!first || run.signal?.aborted) return;
	const bearable = lost.map(({ error }) => error.retryAfterMs ?? 0).filter((milliseconds) => milliseconds <= retryPolicy.longestAsked);
	const wait = waitAfter(Math.max(...lost.map((each) => each.sendings)), run.effects.random, Math.max(0, ...bearable)) ?? 0;
	const all = lost.length === 1 ? "it" : `these ${lost.length} changes`;
	const when = `in ${(wait / 1e3).toFixed(1)} s`;
	run.onRetry?.(`${first.error.message} Looking what became of ${all} ${when}.`);
	await run.effects.sleep(wait, run.signal).catch(() => void 0);
}
async function settleAll(deliveries, run) {
	const changes = deliveries.map(({ change }) => change);
	const storedOf = await readStored(changes, run);
	const settlements = deliveries.map((delivery) => {
		try {
			return settleStored(delivery, storedOf(delivery.change), run);
		} catch (error) {
			return unforeseen(delivery)(error);
		}
	});
	const tests = await askAboutTests(settlements, run);
	return settlements.flatMap((settlement, index) => {
		const decided = settlement.kind === "doubtful" ? decide(settlement, tests) : settlement;
		if (decided.kind === "open") return [decided.delivery];
		const change = changes[index];
		if (change) run.report(change, decided.outcome);
		return [];
	});
}
async function askAboutTests(settlements, { guardMode }) {
	const doubtful = settlements.find((settlement) => settlement.kind === "doubtful");
	return doubtful ? guardMode.takesTests(doubtful.delivery.change, doubtful.live) : "unknown";
}
const systemEffects = {
	fetch: async (input, init) => globalThis.fetch(input, init),
	sleep: async (milliseconds, signal) => {
		await setTimeout$1(milliseconds, void 0, signal && { signal });
	},
	now: Date.now,
	random: Math.random
};
function createGuardMode({ dialect, sendTest, readAgain }) {
	let trueTests = "unknown";
	let falseTests = "unknown";
	const askFalsely = shareAnswer(async (change) => {
		falseTests = await askThrice(() => sendTest(change, falseTest));
		return falseTests;
	});
	const askTruly = shareAnswer(async (change, live) => {
		const [test] = stateTests(live, dialect(change));
		if (!test) return "unknown";
		const answer = await askThrice(() => sendTest(change, test), "accepted");
		trueTests = answer !== "refused" || isUnmoved(live, await readAgain(change), dialect(change)) ? answer : "unknown";
		return trueTests;
	});
	return {
		current: () => trueTests === "refused" || falseTests === "accepted" ? "bare" : "guarded",
		noteAccepted: () => {
			trueTests = "accepted";
		},
		isProven: async (change) => await askFalsely(change) === "refused",
		takesTests: async (change, live) => trueTests === "unknown" ? askTruly(change, live) : trueTests
	};
}
const falseTest = {
	op: "test",
	path: "/updatedAt",
	value: -1
};
function isUnmoved(before, after, dialect) {
	return after !== void 0 && hasSameState(before, after, dialect);
}
const timesAsked = 3;
async function askThrice(ask, credible) {
	const first = await ask();
	if (first === "unknown" || first === credible) return first;
	for (let asked = 1; asked < timesAsked; asked += 1) if (await ask() !== first) return "unknown";
	return first;
}
const mostQuestions = retryPolicy.attempts;
function shareAnswer(ask) {
	let shared;
	let questions = 0;
	return async (...subject) => {
		if (!shared) {
			questions += 1;
			shared = ask(...subject);
		}
		const mine = shared;
		const answer = await mine;
		if (answer === "unknown" && shared === mine && questions < mostQuestions) shared = void 0;
		return answer;
	};
}
const longestRow = 10;
const deniedCodes = new Set(["unauthorized", "forbidden"]);
function createStopRule({ signal, maxFailures }) {
	let failures = 0;
	let failuresInRow = 0;
	let open = 0;
	let openInRow = 0;
	let longestOpenRow = longestRow;
	let failuresAtRead = 0;
	let stop;
	function note({ result, error }) {
		if (result === "skipped") return;
		const isFailure = result === "failed" || result === "unverified";
		failures += Number(isFailure);
		failuresInRow = isFailure ? failuresInRow + 1 : 0;
		if (maxFailures !== void 0) {
			if (failures >= maxFailures) stop ??= stopped(`after ${failures} failed`);
		} else if (error && deniedCodes.has(error.code)) stop ??= stopped("because the catalog denies access");
		else if (failuresInRow >= longestRow) stop ??= stopped(`after ${failuresInRow} failed in a row`);
	}
	function noteSent(isAnswered) {
		open += Number(!isAnswered);
		openInRow = isAnswered ? 0 : openInRow + 1;
		if (isAnswered) failuresInRow = 0;
	}
	function noteRead(toSendAgain) {
		if (toSendAgain === 0 && failures === failuresAtRead && openInRow >= longestOpenRow) longestOpenRow *= 2;
		failuresAtRead = failures;
		open = 0;
		openInRow = 0;
	}
	const reason = () => signal?.aborted ? reasons.notAttempted : stop;
	const isPatient = () => maxFailures === void 0 ? failuresInRow + openInRow < longestOpenRow : failures + open < maxFailures;
	return {
		reason,
		note,
		noteSent,
		noteRead,
		mayGoOn: () => !reason() && isPatient()
	};
}
function stopped(why) {
	return {
		code: "stopped-early",
		message: `Not attempted: the run stopped ${why}.`,
		hint: "Mend the cause and apply again, or allow more with --max-failures."
	};
}
const lastReadTakes = 5e3;
function openRun(options) {
	const { signal, maxFailures } = options;
	const effects = {
		...systemEffects,
		...options.effects
	};
	const ending = new AbortController();
	const closing = new AbortController();
	const endSoon = () => {
		effects.sleep(lastReadTakes, closing.signal).then(() => ending.abort(), () => void 0);
	};
	if (signal?.aborted) endSoon();
	signal?.addEventListener("abort", endSoon, {
		once: true,
		signal: closing.signal
	});
	const shared = {
		...options,
		effects,
		stopRule: createStopRule({
			signal,
			maxFailures
		}),
		patience: createPatience(),
		lastRead: ending.signal,
		close: () => closing.abort()
	};
	return {
		...shared,
		guardMode: openGuardMode(shared)
	};
}
function openGuardMode(run) {
	return createGuardMode({
		dialect: (change) => chooseDialect(run.dialect, change),
		sendTest: (change, test) => sendTest(change, test, run),
		readAgain: async (change) => readOne(change, run)
	});
}
async function sendTest(change, test, run) {
	const dialect = chooseDialect(run.dialect, change);
	while (!run.signal?.aborted) {
		const sent = await sendPatch(change.id, [test], run, dialect);
		if (sent.kind === "answered") return "accepted";
		if (sent.kind === "throttled") continue;
		return sent.kind !== "unsent" && dialect.isRefusedTest(sent.error) ? "refused" : "unknown";
	}
	return "unknown";
}
async function readOne(change, run) {
	const stored = (await readStored([change], run))(change);
	return stored.kind === "seen" ? stored.live : void 0;
}
async function apply(options) {
	const { plan } = options;
	if (plan.errored || plan.planHash === void 0) throw notApplicable();
	const run = openRun(options);
	const outcomes = new Map();
	const report = (change, outcome) => {
		outcomes.set(change, outcome);
		run.stopRule.note(outcome);
		run.onOutcome?.(outcome);
	};
	try {
		await playRounds({
			...run,
			report
		});
	} finally {
		run.close();
	}
	return summarizeOutcomes(plan, updates(plan).map((change) => outcomes.get(change)).filter((outcome) => outcome !== void 0));
}
async function playRounds(run) {
	let open = updates(run.plan).map((change) => undelivered(change, chooseDialect(run.dialect, change)));
	while (open.length > 0) {
		const stop = run.stopRule.reason();
		if (!stop) {
			open = await playRound(open, run);
			continue;
		}
		for (const each of open) {
			const isUntouched = each.mayHaveLanded === "no";
			run.report(each.change, isUntouched ? abandon(each, stop) : failed$1(each));
		}
		return;
	}
}
function notApplicable() {
	return new SyncError("plan-errored", "The plan has errors, so nothing of it may be applied.", { hint: "Mend what the plan reports and plan again." });
}
async function carryOut(plan, session, options) {
	return apply({
		...session,
		...options,
		plan,
		writer: session.openWriter()
	});
}
function matchesSequence(pattern, items, { symbol, matchesItem }) {
	let at = 0;
	let lastWildcard = -1;
	let takenByWildcard = 0;
	let index = 0;
	for (let item = items[0]; item !== void 0; item = items[index]) {
		const wanted = pattern[at];
		if (wanted === symbol) {
			lastWildcard = at;
			takenByWildcard = index;
			at += 1;
		} else if (wanted !== void 0 && matchesItem(wanted, item)) {
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
const longestPattern = 1e3;
const mostWildcards = 32;
function complainAboutPattern(pattern) {
	if (pattern.length > longestPattern) return `is longer than ${longestPattern} characters`;
	const [list] = /[?*+@!]\(/u.exec(pattern) ?? [];
	if (list !== void 0) return `uses "${list}…)", which has no meaning here`;
	return (pattern.match(/\*+|[?[]/gu) ?? []).length > mostWildcards ? `has more than ${mostWildcards} wildcards` : void 0;
}
function parseGlob(glob) {
	const alternatives = expandBraces(glob).map(parseAlternative);
	return (path) => {
		const names = path === "" ? [] : path.split("/");
		return alternatives.some((pattern) => matchesSequence(pattern, names, anyFolders));
	};
}
function parseAlternative(glob) {
	const all = glob.split("/");
	const parts = all.filter((name, at) => name !== "" || at === 0 || at === all.length - 1).map((name) => name === "**" ? name : parseName(name));
	return parts.length > 1 && parts.at(-1) === "**" ? [...parts, ["*"]] : parts;
}
const characters = /\[(?<sign>[!^]?)(?<set>[^][^\]]*)\]|[^]/g;
function parseName(name) {
	return [...name.matchAll(characters)].map(([text, sign, set]) => {
		if (set === void 0) return text;
		const ranges = [...set.matchAll(/(?<first>[^])-(?<last>[^])|[^]/g)].map(([one, first = one, last = one]) => [first, last]);
		return {
			isNegated: sign !== "",
			ranges
		};
	});
}
const anyText = {
	symbol: "*",
	matchesItem: (part, character) => {
		if (typeof part === "string") return part === "?" || part === character;
		return part.ranges.some(([first, last]) => first <= character && character <= last) !== part.isNegated;
	}
};
const anyFolders = {
	symbol: "**",
	matchesItem: (part, name) => part !== "**" && matchesSequence(part, name, anyText)
};
function expandBraces(glob) {
	const brace = firstBrace(glob);
	if (!brace) return [glob];
	const rests = expandBraces(brace.behind);
	return brace.texts.flatMap((text) => expandBraces(text)).flatMap((text) => rests.map((rest) => `${brace.before}${text}${rest}`));
}
function firstBrace(glob) {
	for (let start = glob.indexOf("{"); start >= 0; start = glob.indexOf("{", start + 1)) {
		const texts = textsOfBrace(glob, start);
		if (texts.length < 2) continue;
		const end = start + `{${texts.join(",")}}`.length;
		return {
			before: glob.slice(0, start),
			texts,
			behind: glob.slice(end)
		};
	}
}
function textsOfBrace(glob, start) {
	const texts = [];
	let depth = 0;
	let from = start + 1;
	for (let at = start; at < glob.length; at += 1) {
		if (glob[at] === "{") depth += 1;
		if (glob[at] === "}") depth -= 1;
		const isEnd = depth === 0;
		if (!isEnd && (depth > 1 || glob[at] !== ",")) continue;
		texts.push(glob.slice(from, at));
		if (isEnd) return texts;
		from = at + 1;
	}
	return [];
}
const mostAlternatives = 1e3;
function complainAboutGlob(glob) {
	const complaint = complainAboutPattern(glob);
	if (complaint !== void 0) return complaint;
	if (/\{[^{}]*\.\./u.test(glob)) return "has a range in braces";
	if (glob.includes("[:")) return "names a class of characters";
	return countAlternatives(glob) > mostAlternatives ? "stands for too many patterns" : void 0;
}
function countAlternatives(glob) {
	const open = [];
	let product = 1;
	for (const character of glob) if (character === "{") open.push(1);
	else if (character === ",") open.push((open.pop() ?? 0) + 1);
	else if (character === "}") product *= open.pop() ?? 1;
	return product;
}
function walkFolder(request) {
	const files = new Map();
	const state = {
		...request,
		files,
		diagnostics: [],
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
		diagnostics: state.diagnostics
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
	if (entry.isSymbolicLink()) state.links.push({
		file,
		folder
	});
	else if (entry.isFile() && state.matches(file)) state.files.set(real, file);
	else noteOverlooked(entry, file, state);
	if (entry.isDirectory()) visitFolder({
		file,
		real
	}, state);
}
function noteOverlooked(entry, file, state) {
	const alike = file.replace(/\.[^./]+$/u, (ending) => ending.toLowerCase());
	if (!state.matches(alike) || state.isExcluded(alike)) return;
	if (entry.isDirectory()) state.diagnostics.push(overlooked(file, "is-a-folder"));
	else if (entry.isFile()) state.diagnostics.push(overlooked(file, "ending-in-capitals"));
	else state.diagnostics.push(overlooked(file, "not-a-file"));
}
function readFolder({ file }, state) {
	try {
		return readdirSync(resolve(state.root, file), { withFileTypes: true });
	} catch (error) {
		state.diagnostics.push(unreadable(file, whyUnreadable(error)));
		return [];
	}
}
function visitPath({ file, folder }, state) {
	try {
		const real = realpathSync(resolve(state.root, file));
		const target = statSync(real);
		if (target.isFile() && state.matches(file)) followToFile({
			file,
			real
		}, state);
		else noteOverlooked(target, file, state);
		if (target.isDirectory()) followToFolder({
			file,
			real
		}, folder, state);
	} catch (error) {
		const code = whyUnreadable(error);
		if (code !== "not-found" || state.matches(file)) state.diagnostics.push(unreadable(file, code));
	}
}
function followToFolder(target, from, state) {
	if (!isWithin$1(target.real, realpathSync(state.outermost))) state.diagnostics.push(unreadable(target.file, "link-outside-root"));
	else if (isWithin$1(from.real, target.real)) state.diagnostics.push(unreadable(target.file, "link-loop"));
	else visitFolder(target, state);
}
function followToFile({ file, real }, state) {
	if (!isWithin$1(real, realpathSync(state.outermost))) state.diagnostics.push(unreadable(file, "link-outside-root"));
	else if (!state.files.has(real)) state.files.set(real, file);
}
function isWithin$1(path, folder) {
	return path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
}
function isSkipped(name) {
	return name.startsWith(".") || name === "node_modules";
}
function whyUnreadable(error) {
	const code = error instanceof Error && "code" in error ? error.code : void 0;
	if (code === "ELOOP") return "link-loop";
	return nothingThere.has(code) ? "not-found" : "not-readable";
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
	"foreign-file": {
		message: "The name does not end in .yaml, .yml or .json, and no key says that this is a file of ours.",
		hint: "Nothing of it is shown. Rename it, or correct the path that leads to it."
	},
	"not-readable": {
		message: "This could not be read.",
		hint: "Check its permissions."
	}
};
const overlookedSentences = {
	"is-a-folder": {
		message: "This is a folder, though its name is one of a contract file.",
		hint: "Rename it: only files are read."
	},
	"not-a-file": {
		message: "This is neither a file nor a folder, so it is not read.",
		hint: "Remove it, or leave it out with `contracts.exclude`."
	},
	"ending-in-capitals": {
		message: "This file is not read: its ending has capitals, and those that are read have none.",
		hint: "Rename it to end in .yaml or .yml, or leave it out with `contracts.exclude`."
	}
};
function overlooked(file, code) {
	const source = {
		file,
		line: 1,
		column: 1
	};
	return {
		code,
		severity: "warning",
		...overlookedSentences[code],
		source
	};
}
function unreadable(file, code) {
	return {
		code,
		severity: "error",
		...sentences$1[code],
		source: {
			file,
			line: 1,
			column: 1
		}
	};
}
function findFiles(selection) {
	const { root, include, exclude, allowEmpty } = selection;
	const files = new Map();
	const refused = refuseGlobs(selection);
	const isTaken = (glob) => !refused.has(glob);
	const diagnostics = [...refused.values()];
	const excluded = exclude.filter(isTaken).map((name) => parseExclude(name, root));
	const isExcluded = (file) => excluded.some((matches) => matches(file));
	const ifNothing = allowEmpty ? "warning" : "error";
	for (const name of include.filter(isTaken)) {
		const found = findIncluded(name, {
			root,
			isExcluded,
			ifNothing
		});
		for (const [real, file] of found.files) if (!files.has(real)) files.set(real, file);
		diagnostics.push(...found.diagnostics);
	}
	const names = [...files.values()].toSorted(compareCodeUnits);
	return {
		files: names,
		diagnostics: withoutRepeats(diagnostics, new Set(names))
	};
}
function withoutRepeats(diagnostics, found) {
	const told = new Set();
	return diagnostics.filter(({ severity, code, source }) => {
		if (severity !== "warning" || !source) return true;
		const name = `${code} ${source.file}`;
		if (found.has(source.file) || told.has(name)) return false;
		told.add(name);
		return true;
	});
}
function refuseGlobs({ root, include, exclude, locate }) {
	const refused = new Map();
	for (const glob of [...include, ...exclude]) {
		const complaint = isThere(glob, root) ? void 0 : complainAboutGlob(glob);
		if (complaint !== void 0) refused.set(glob, globRefused(glob, complaint, locate?.(glob)));
	}
	return refused;
}
function parseExclude(name, root) {
	const path = relativeName(name, root);
	return isThere(name, root) ? (file) => file === path : parseGlob(path);
}
function isThere(name, root) {
	return kindOf$1(resolve(root, name)) !== "nothing";
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
	const matchesBelow = parseGlob(start.pattern);
	const matches = (file) => start.isFile || matchesBelow(file.slice(prefix));
	const outermost = start.name.startsWith("..") ? resolve(root, start.name) : root;
	const found = walkFolder({
		root,
		start: start.name,
		outermost,
		matches,
		isExcluded
	});
	if (found.files.size > 0 || hasErrors(found.diagnostics)) return found;
	const nothing = nothingMatches(include, ifNothing);
	return {
		files: found.files,
		diagnostics: [...found.diagnostics, nothing]
	};
}
function startOf(name, root) {
	const kind = kindOf$1(resolve(root, name));
	if (kind !== "nothing") return {
		name,
		isFile: kind === "file",
		pattern: "**/*.{yaml,yml}"
	};
	const glob = splitGlob(name);
	if (!glob || kindOf$1(resolve(root, glob.folder)) === "nothing") return void 0;
	return {
		name: glob.folder,
		isFile: false,
		pattern: glob.pattern
	};
}
function kindOf$1(path) {
	try {
		return statSync(path).isFile() ? "file" : "other";
	} catch (error) {
		return whyUnreadable(error) === "not-found" ? "nothing" : "other";
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
	const glob = splitGlob(include);
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
function splitGlob(text) {
	const segments = text.split("/");
	const magic = segments.findIndex((segment) => /[*?[\]{}()]/u.test(segment));
	if (magic === -1) return void 0;
	return {
		folder: segments.slice(0, magic).join("/"),
		pattern: segments.slice(magic).join("/")
	};
}
function globRefused(glob, complaint, source) {
	return {
		code: "glob-too-complex",
		severity: "error",
		message: `The glob ${quote$1(glob)} ${complaint}.`,
		hint: "Use *, ?, [a-z], ** and a few braces, such as {a,b}; or list several globs.",
		...source && { source }
	};
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
var Schema$1 = class Schema$1 {
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
		const copy = Object.create(Schema$1.prototype, Object.getOwnPropertyDescriptors(this));
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
		else if (opt) this.schema = new Schema$1(Object.assign(opt, options));
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
			value = plainValue$1(source, _onError);
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
function plainValue$1(source, onError) {
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
function isEmpty$1(ch) {
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
			if ((dt === "---" || dt === "...") && isEmpty$1(this.buffer[offset + 3])) return -1;
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
			if ((s === "---" || s === "...") && isEmpty$1(this.charAt(3))) {
				yield* this.pushCount(3);
				this.indentValue = 0;
				this.indentNext = 0;
				return s === "---" ? "doc" : "stream";
			}
		}
		this.indentValue = yield* this.pushSpaces(false);
		if (this.indentNext > this.indentValue && !isEmpty$1(this.charAt(1))) this.indentNext = this.indentValue;
		return yield* this.parseBlockStart();
	}
	*parseBlockStart() {
		const [ch0, ch1] = this.peek(2);
		if (!ch1 && !this.atEnd) return this.setNext("block-start");
		if ((ch0 === "-" || ch0 === "?" || ch0 === ":") && isEmpty$1(ch1)) {
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
		if (indent !== -1 && indent < this.indentNext && line[0] !== "#" || indent === 0 && (line.startsWith("---") || line.startsWith("...")) && isEmpty$1(line[3])) {
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
				if (this.flowKey || isEmpty$1(next) || next === ",") {
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
		return yield* this.pushUntil((ch) => isEmpty$1(ch) || ch === "#");
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
			if (isEmpty$1(next) || inFlow && flowIndicatorChars.has(next)) break;
			end = i;
		} else if (isEmpty$1(ch)) {
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
					if (isEmpty$1(ch1) || inFlow && flowIndicatorChars.has(ch1)) {
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
			while (!isEmpty$1(ch) && ch !== ">") ch = this.buffer[++i];
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
const mostTokens = 2e5;
const mostAliasedValues = 1e5;
const forbiddenKeys = new Set(["__proto__", "constructor"]);
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
var NOT_RESOLVED = Symbol("NOT_RESOLVED");
function defineScalarTag(tagName, options) {
	return {
		tagName,
		nodeKind: "scalar",
		implicit: options.implicit ?? false,
		matchByTagPrefix: options.matchByTagPrefix ?? false,
		implicitFirstChars: options.implicitFirstChars ?? null,
		resolve: options.resolve,
		identify: options.identify,
		represent: options.represent ?? ((data) => String(data)),
		representTagName: options.representTagName ?? (() => tagName)
	};
}
function defineSequenceTag(tagName, options) {
	const carrierIsResult = options.finalize === void 0;
	return {
		tagName,
		nodeKind: "sequence",
		implicit: false,
		matchByTagPrefix: options.matchByTagPrefix ?? false,
		create: options.create,
		addItem: options.addItem,
		finalize: options.finalize ?? ((carrier) => carrier),
		carrierIsResult,
		identify: options.identify,
		represent: options.represent ?? ((data) => data),
		representTagName: options.representTagName ?? (() => tagName)
	};
}
function defineMappingTag(tagName, options) {
	const carrierIsResult = options.finalize === void 0;
	return {
		tagName,
		nodeKind: "mapping",
		implicit: false,
		matchByTagPrefix: options.matchByTagPrefix ?? false,
		create: options.create,
		addPair: options.addPair,
		has: options.has,
		keys: options.keys,
		get: options.get,
		finalize: options.finalize ?? ((carrier) => carrier),
		carrierIsResult,
		identify: options.identify,
		represent: options.represent ?? ((data) => data),
		representTagName: options.representTagName ?? (() => tagName)
	};
}
var strTag = defineScalarTag("tag:yaml.org,2002:str", {
	resolve: (source) => source,
	identify: (data) => typeof data === "string"
});
var NULL_VALUES$1 = [
	"",
	"~",
	"null",
	"Null",
	"NULL"
];
var nullCoreTag = defineScalarTag("tag:yaml.org,2002:null", {
	implicit: true,
	implicitFirstChars: [
		"",
		"~",
		"n",
		"N"
	],
	resolve: (source) => {
		if (NULL_VALUES$1.indexOf(source) !== -1) return null;
		return NOT_RESOLVED;
	},
	identify: (object) => object === null,
	represent: () => "null"
});
var nullJsonTag = defineScalarTag("tag:yaml.org,2002:null", {
	implicit: true,
	implicitFirstChars: ["n"],
	resolve: (source, isExplicit) => {
		if (source === "null" || isExplicit && source === "") return null;
		return NOT_RESOLVED;
	},
	identify: (object) => object === null,
	represent: () => "null"
});
var NULL_VALUES = [
	"",
	"~",
	"null",
	"Null",
	"NULL"
];
var nullYaml11Tag = defineScalarTag("tag:yaml.org,2002:null", {
	implicit: true,
	implicitFirstChars: [
		"",
		"~",
		"n",
		"N"
	],
	resolve: (source) => {
		if (NULL_VALUES.indexOf(source) !== -1) return null;
		return NOT_RESOLVED;
	},
	identify: (object) => object === null,
	represent: () => "null"
});
var TRUE_VALUES$2 = [
	"true",
	"True",
	"TRUE"
];
var FALSE_VALUES$2 = [
	"false",
	"False",
	"FALSE"
];
var boolCoreTag = defineScalarTag("tag:yaml.org,2002:bool", {
	implicit: true,
	implicitFirstChars: [
		"t",
		"T",
		"f",
		"F"
	],
	resolve: (source) => {
		if (TRUE_VALUES$2.indexOf(source) !== -1) return true;
		if (FALSE_VALUES$2.indexOf(source) !== -1) return false;
		return NOT_RESOLVED;
	},
	identify: (object) => Object.prototype.toString.call(object) === "[object Boolean]",
	represent: (object) => object ? "true" : "false"
});
var TRUE_VALUES$1 = ["true"];
var FALSE_VALUES$1 = ["false"];
var boolJsonTag = defineScalarTag("tag:yaml.org,2002:bool", {
	implicit: true,
	implicitFirstChars: ["t", "f"],
	resolve: (source) => {
		if (TRUE_VALUES$1.indexOf(source) !== -1) return true;
		if (FALSE_VALUES$1.indexOf(source) !== -1) return false;
		return NOT_RESOLVED;
	},
	identify: (object) => Object.prototype.toString.call(object) === "[object Boolean]",
	represent: (object) => object ? "true" : "false"
});
var TRUE_VALUES = [
	"true",
	"True",
	"TRUE",
	"y",
	"Y",
	"yes",
	"Yes",
	"YES",
	"on",
	"On",
	"ON"
];
var FALSE_VALUES = [
	"false",
	"False",
	"FALSE",
	"n",
	"N",
	"no",
	"No",
	"NO",
	"off",
	"Off",
	"OFF"
];
var boolYaml11Tag = defineScalarTag("tag:yaml.org,2002:bool", {
	implicit: true,
	implicitFirstChars: [
		"y",
		"Y",
		"n",
		"N",
		"t",
		"T",
		"f",
		"F",
		"o",
		"O"
	],
	resolve: (source) => {
		if (TRUE_VALUES.indexOf(source) !== -1) return true;
		if (FALSE_VALUES.indexOf(source) !== -1) return false;
		return NOT_RESOLVED;
	},
	identify: (object) => Object.prototype.toString.call(object) === "[object Boolean]",
	represent: (object) => object ? "true" : "false"
});
var YAML_INTEGER_IMPLICIT_PATTERN$1 = new RegExp("^(?:0o[0-7]+|0x[0-9a-fA-F]+|[-+]?[0-9]+)$");
var YAML_INTEGER_EXPLICIT_PATTERN$1 = new RegExp("^(?:[-+]?0b[0-1]+|[-+]?0o[0-7]+|[-+]?0x[0-9a-fA-F]+|[-+]?[0-9]+)$");
function parseYamlInteger$2(source) {
	let value = source;
	let sign = 1;
	if (value[0] === "-" || value[0] === "+") {
		if (value[0] === "-") sign = -1;
		value = value.slice(1);
	}
	if (value.startsWith("0b")) return sign * parseInt(value.slice(2), 2);
	if (value.startsWith("0o")) return sign * parseInt(value.slice(2), 8);
	if (value.startsWith("0x")) return sign * parseInt(value.slice(2), 16);
	return sign * parseInt(value, 10);
}
function resolveYamlInteger$2(source, isExplicit) {
	if (isExplicit) {
		if (!YAML_INTEGER_EXPLICIT_PATTERN$1.test(source)) return NOT_RESOLVED;
	} else if (!YAML_INTEGER_IMPLICIT_PATTERN$1.test(source)) return NOT_RESOLVED;
	const result = parseYamlInteger$2(source);
	return Number.isFinite(result) ? result : NOT_RESOLVED;
}
var intCoreTag = defineScalarTag("tag:yaml.org,2002:int", {
	implicit: true,
	implicitFirstChars: [
		"-",
		"+",
		..."0123456789"
	],
	resolve: resolveYamlInteger$2,
	identify: (object) => Number.isInteger(object) && !Object.is(object, -0) && object.toString(10).indexOf("e") < 0,
	represent: (object) => object.toString(10)
});
var YAML_INTEGER_IMPLICIT_PATTERN = new RegExp("^-?(?:0|[1-9][0-9]*)$");
var YAML_INTEGER_EXPLICIT_PATTERN = new RegExp("^(?:[-+]?0b[0-1]+|[-+]?0o[0-7]+|[-+]?0x[0-9a-fA-F]+|[-+]?[0-9]+)$");
function parseYamlInteger$1(source) {
	let value = source;
	let sign = 1;
	if (value[0] === "-" || value[0] === "+") {
		if (value[0] === "-") sign = -1;
		value = value.slice(1);
	}
	if (value.startsWith("0b")) return sign * parseInt(value.slice(2), 2);
	if (value.startsWith("0o")) return sign * parseInt(value.slice(2), 8);
	if (value.startsWith("0x")) return sign * parseInt(value.slice(2), 16);
	return sign * parseInt(value, 10);
}
function resolveYamlInteger$1(source, isExplicit) {
	if (isExplicit) {
		if (!YAML_INTEGER_EXPLICIT_PATTERN.test(source)) return NOT_RESOLVED;
	} else if (!YAML_INTEGER_IMPLICIT_PATTERN.test(source)) return NOT_RESOLVED;
	const result = parseYamlInteger$1(source);
	return Number.isFinite(result) ? result : NOT_RESOLVED;
}
var intJsonTag = defineScalarTag("tag:yaml.org,2002:int", {
	implicit: true,
	implicitFirstChars: ["-", ..."0123456789"],
	resolve: resolveYamlInteger$1,
	identify: (object) => Number.isInteger(object) && !Object.is(object, -0) && object.toString(10).indexOf("e") < 0,
	represent: (object) => object.toString(10)
});
var YAML_INTEGER_PATTERN = new RegExp("^(?:[-+]?0b[0-1_]+|[-+]?0[0-7_]+|[-+]?0x[0-9a-fA-F_]+|[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+|[-+]?(?:0|[1-9][0-9_]*))$");
function parseYamlInteger(source) {
	let value = source.replace(/_/g, "");
	let sign = 1;
	if (value[0] === "-" || value[0] === "+") {
		if (value[0] === "-") sign = -1;
		value = value.slice(1);
	}
	if (value.startsWith("0b")) return sign * parseInt(value.slice(2), 2);
	if (value.startsWith("0x")) return sign * parseInt(value.slice(2), 16);
	if (value.includes(":")) {
		let result = 0;
		for (const part of value.split(":")) result = result * 60 + Number(part);
		return sign * result;
	}
	if (value !== "0" && value[0] === "0") return sign * parseInt(value, 8);
	return sign * parseInt(value, 10);
}
function resolveYamlInteger(source) {
	if (!YAML_INTEGER_PATTERN.test(source)) return NOT_RESOLVED;
	const result = parseYamlInteger(source);
	return Number.isFinite(result) ? result : NOT_RESOLVED;
}
var intYaml11Tag = defineScalarTag("tag:yaml.org,2002:int", {
	implicit: true,
	implicitFirstChars: [
		"-",
		"+",
		..."0123456789"
	],
	resolve: resolveYamlInteger,
	identify: (object) => Number.isInteger(object) && !Object.is(object, -0) && object.toString(10).indexOf("e") < 0,
	represent: (object) => object.toString(10)
});
var YAML_FLOAT_PATTERN$1 = new RegExp("^(?:[-+]?[0-9]+(?:\\.[0-9]*)?(?:[eE][-+]?[0-9]+)?|[-+]?\\.[0-9]+(?:[eE][-+]?[0-9]+)?|[-+]?\\.(?:inf|Inf|INF)|\\.(?:nan|NaN|NAN))$");
var YAML_FLOAT_SPECIAL_PATTERN$1 = new RegExp("^(?:[-+]?\\.(?:inf|Inf|INF)|\\.(?:nan|NaN|NAN))$");
function resolveYamlFloat$2(source) {
	if (!YAML_FLOAT_PATTERN$1.test(source)) return NOT_RESOLVED;
	let value = source.toLowerCase();
	const sign = value[0] === "-" ? -1 : 1;
	if ("+-".includes(value[0])) value = value.slice(1);
	if (value === ".inf") return sign === 1 ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
	if (value === ".nan") return NaN;
	const result = sign * parseFloat(value);
	if (Number.isFinite(result) || YAML_FLOAT_SPECIAL_PATTERN$1.test(source)) return result;
	return NOT_RESOLVED;
}
function representYamlFloat$2(object) {
	if (isNaN(object)) return ".nan";
	if (object === Number.POSITIVE_INFINITY) return ".inf";
	if (object === Number.NEGATIVE_INFINITY) return "-.inf";
	if (Object.is(object, -0)) return "-0.0";
	const result = object.toString(10);
	return /^[-+]?[0-9]+e/.test(result) ? result.replace("e", ".e") : result;
}
var floatCoreTag = defineScalarTag("tag:yaml.org,2002:float", {
	implicit: true,
	implicitFirstChars: [
		"-",
		"+",
		".",
		..."0123456789"
	],
	resolve: resolveYamlFloat$2,
	identify: (object) => typeof object === "number" && (!Number.isInteger(object) || Object.is(object, -0) || object.toString(10).indexOf("e") >= 0),
	represent: representYamlFloat$2
});
var YAML_FLOAT_IMPLICIT_PATTERN = new RegExp("^-?(?:0|[1-9][0-9]*)(?:\\.[0-9]*)?(?:[eE][-+]?[0-9]+)?$");
var YAML_FLOAT_EXPLICIT_PATTERN = new RegExp("^(?:[-+]?[0-9]+(?:\\.[0-9]*)?(?:[eE][-+]?[0-9]+)?|[-+]?\\.[0-9]+(?:[eE][-+]?[0-9]+)?|[-+]?\\.(?:inf|Inf|INF)|\\.(?:nan|NaN|NAN))$");
function resolveYamlFloat$1(source, isExplicit) {
	if (isExplicit) {
		if (!YAML_FLOAT_EXPLICIT_PATTERN.test(source)) return NOT_RESOLVED;
		let value = source.toLowerCase();
		const sign = value[0] === "-" ? -1 : 1;
		if ("+-".includes(value[0])) value = value.slice(1);
		if (value === ".inf") return sign === 1 ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
		if (value === ".nan") return NaN;
		const result = sign * parseFloat(value);
		return Number.isFinite(result) ? result : NOT_RESOLVED;
	}
	if (!YAML_FLOAT_IMPLICIT_PATTERN.test(source)) return NOT_RESOLVED;
	const result = Number(source);
	if (Number.isFinite(result)) return result;
	return NOT_RESOLVED;
}
function representYamlFloat$1(object) {
	if (isNaN(object)) return ".nan";
	if (object === Number.POSITIVE_INFINITY) return ".inf";
	if (object === Number.NEGATIVE_INFINITY) return "-.inf";
	if (Object.is(object, -0)) return "-0.0";
	const result = object.toString(10);
	return /^[-+]?[0-9]+e/.test(result) ? result.replace("e", ".e") : result;
}
var floatJsonTag = defineScalarTag("tag:yaml.org,2002:float", {
	implicit: true,
	implicitFirstChars: ["-", ..."0123456789"],
	resolve: resolveYamlFloat$1,
	identify: (object) => typeof object === "number" && (!Number.isInteger(object) || Object.is(object, -0) || object.toString(10).indexOf("e") >= 0),
	represent: representYamlFloat$1
});
var YAML_FLOAT_PATTERN = new RegExp("^(?:[-+]?(?:(?:[0-9][0-9_]*)?\\.[0-9_]*)(?:[eE][-+][0-9]+)?|[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\\.[0-9_]*|[-+]?\\.(?:inf|Inf|INF)|\\.(?:nan|NaN|NAN))$");
var YAML_FLOAT_SPECIAL_PATTERN = new RegExp("^(?:[-+]?\\.(?:inf|Inf|INF)|\\.(?:nan|NaN|NAN))$");
function resolveYamlFloat(source) {
	if (!YAML_FLOAT_PATTERN.test(source)) return NOT_RESOLVED;
	let value = source.toLowerCase().replace(/_/g, "");
	const sign = value[0] === "-" ? -1 : 1;
	if ("+-".includes(value[0])) value = value.slice(1);
	if (value === ".inf") return sign === 1 ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
	if (value === ".nan") return NaN;
	let result = 0;
	if (value.includes(":")) {
		for (const part of value.split(":")) result = result * 60 + Number(part);
		result *= sign;
	} else result = sign * parseFloat(value);
	if (Number.isFinite(result) || YAML_FLOAT_SPECIAL_PATTERN.test(source)) return result;
	return NOT_RESOLVED;
}
function representYamlFloat(object) {
	if (isNaN(object)) return ".nan";
	if (object === Number.POSITIVE_INFINITY) return ".inf";
	if (object === Number.NEGATIVE_INFINITY) return "-.inf";
	if (Object.is(object, -0)) return "-0.0";
	const result = object.toString(10);
	return /^[-+]?[0-9]+e/.test(result) ? result.replace("e", ".e") : result;
}
var floatYaml11Tag = defineScalarTag("tag:yaml.org,2002:float", {
	implicit: true,
	implicitFirstChars: [
		"-",
		"+",
		".",
		..."0123456789"
	],
	resolve: resolveYamlFloat,
	identify: (object) => typeof object === "number" && (!Number.isInteger(object) || Object.is(object, -0) || object.toString(10).indexOf("e") >= 0),
	represent: representYamlFloat
});
var mergeTag = defineScalarTag("tag:yaml.org,2002:merge", {
	implicit: true,
	implicitFirstChars: ["<"],
	resolve: (source, isExplicit) => {
		if (source === "<<" || isExplicit && source === "") return "<<";
		return NOT_RESOLVED;
	},
	identify: () => false
});
var BASE64_PATTERN = /^[A-Za-z0-9+/]*={0,2}$/;
function resolveYamlBinary(source) {
	const input = source.replace(/\s/g, "");
	if (input.length % 4 !== 0 || !BASE64_PATTERN.test(input)) return NOT_RESOLVED;
	const binary = atob(input);
	const result = new Uint8Array(binary.length);
	for (let index = 0; index < binary.length; index++) result[index] = binary.charCodeAt(index);
	return result;
}
function representYamlBinary(object) {
	let binary = "";
	for (let index = 0; index < object.length; index++) binary += String.fromCharCode(object[index]);
	return btoa(binary);
}
var binaryTag = defineScalarTag("tag:yaml.org,2002:binary", {
	resolve: resolveYamlBinary,
	identify: (object) => Object.prototype.toString.call(object) === "[object Uint8Array]",
	represent: representYamlBinary
});
var YAML_DATE_REGEXP = new RegExp("^([0-9][0-9][0-9][0-9])-([0-9][0-9])-([0-9][0-9])$");
var YAML_TIMESTAMP_REGEXP = new RegExp("^([0-9][0-9][0-9][0-9])-([0-9][0-9]?)-([0-9][0-9]?)(?:[Tt]|[ \\t]+)([0-9][0-9]?):([0-9][0-9]):([0-9][0-9])(?:\\.([0-9]*))?(?:[ \\t]*(Z|([-+])([0-9][0-9]?)(?::([0-9][0-9]))?))?$");
function makeUtcDate(year, month, day, hour = 0, minute = 0, second = 0, fraction = 0) {
	const date = new Date(Date.UTC(year, month, day, hour, minute, second, fraction));
	date.setUTCFullYear(year, month, day);
	return date;
}
function resolveYamlTimestamp(source) {
	let match = YAML_DATE_REGEXP.exec(source);
	if (match === null) match = YAML_TIMESTAMP_REGEXP.exec(source);
	if (match === null) return NOT_RESOLVED;
	const year = +match[1];
	const month = +match[2] - 1;
	const day = +match[3];
	if (!match[4]) {
		const date = makeUtcDate(year, month, day);
		if (date.getUTCFullYear() !== year || date.getUTCMonth() !== month || date.getUTCDate() !== day) return NOT_RESOLVED;
		return date;
	}
	const hour = +match[4];
	const minute = +match[5];
	const second = +match[6];
	let fraction = 0;
	if (hour > 23 || minute > 59 || second > 59) return NOT_RESOLVED;
	if (match[7]) {
		let value = match[7].slice(0, 3);
		while (value.length < 3) value += "0";
		fraction = +value;
	}
	const date = makeUtcDate(year, month, day, hour, minute, second, fraction);
	if (date.getUTCFullYear() !== year || date.getUTCMonth() !== month || date.getUTCDate() !== day) return NOT_RESOLVED;
	if (match[9]) {
		const offsetHour = +match[10];
		const offsetMinute = +(match[11] || 0);
		if (offsetHour > 23 || offsetMinute > 59) return NOT_RESOLVED;
		const offset = (offsetHour * 60 + offsetMinute) * 6e4;
		date.setTime(date.getTime() - (match[9] === "-" ? -offset : offset));
	}
	return date;
}
var timestampTag = defineScalarTag("tag:yaml.org,2002:timestamp", {
	implicit: true,
	implicitFirstChars: [..."0123456789"],
	resolve: resolveYamlTimestamp,
	identify: (object) => object instanceof Date,
	represent: (object) => object.toISOString()
});
var seqTag = defineSequenceTag("tag:yaml.org,2002:seq", {
	create: () => [],
	addItem: (container, item) => {
		container.push(item);
	},
	identify: Array.isArray
});
function isPlainObject(data) {
	if (data === null || typeof data !== "object" || Array.isArray(data)) return false;
	const prototype = Object.getPrototypeOf(data);
	return prototype === null || prototype === Object.prototype;
}
var omapTag = defineSequenceTag("tag:yaml.org,2002:omap", {
	create: () => ({
		list: [],
		seen: new Set()
	}),
	addItem: (carrier, item) => {
		let key;
		if (item instanceof Map) {
			if (item.size !== 1) return "cannot resolve an ordered map item";
			key = item.keys().next().value;
		} else if (isPlainObject(item)) {
			const itemKeys = Object.keys(item);
			if (itemKeys.length !== 1) return "cannot resolve an ordered map item";
			key = itemKeys[0];
		} else return "cannot resolve an ordered map item";
		if (carrier.seen.has(key)) return "duplicate key in ordered map";
		carrier.seen.add(key);
		carrier.list.push(item);
		return "";
	},
	finalize: (carrier) => carrier.list,
	identify: () => false
});
var pairsTag = defineSequenceTag("tag:yaml.org,2002:pairs", {
	create: () => [],
	addItem: (container, item) => {
		if (item instanceof Map) {
			if (item.size !== 1) return "cannot resolve a pairs item";
			container.push(item.entries().next().value);
			return "";
		}
		if (Object.prototype.toString.call(item) !== "[object Object]") return "cannot resolve a pairs item";
		const object = item;
		const keys = Object.keys(object);
		if (keys.length !== 1) return "cannot resolve a pairs item";
		container.push([keys[0], object[keys[0]]]);
		return "";
	},
	identify: () => false
});
var mapTag = defineMappingTag("tag:yaml.org,2002:map", {
	create: () => ({}),
	identify: isPlainObject,
	represent: (o) => {
		const map = new Map();
		for (const key of Object.keys(o)) map.set(key, o[key]);
		return map;
	},
	addPair: (container, key, value) => {
		if (key !== null && typeof key === "object") return "object-based map does not support complex keys";
		const normalizedKey = String(key);
		if (normalizedKey === "__proto__") Object.defineProperty(container, normalizedKey, {
			value,
			enumerable: true,
			configurable: true,
			writable: true
		});
		else container[normalizedKey] = value;
		return "";
	},
	has: (container, key) => {
		if (key !== null && typeof key === "object") return false;
		return Object.prototype.hasOwnProperty.call(container, String(key));
	},
	keys: (container) => Object.keys(container),
	get: (container, key) => {
		const normalizedKey = String(key);
		if (!Object.prototype.hasOwnProperty.call(container, normalizedKey)) return null;
		return container[normalizedKey];
	}
});
var setTag = defineMappingTag("tag:yaml.org,2002:set", {
	create: () => new Set(),
	identify: (data) => data instanceof Set,
	represent: (data) => {
		const map = new Map();
		for (const key of data) map.set(key, null);
		return map;
	},
	addPair: (container, key, value) => {
		if (value !== null) return "cannot resolve a set item";
		container.add(key);
		return "";
	},
	has: (container, key) => container.has(key),
	keys: (container) => container.keys(),
	get: () => null
});
function createTagDefinitionMap() {
	return {
		scalar: Object.create(null),
		sequence: Object.create(null),
		mapping: Object.create(null)
	};
}
function createTagDefinitionListMap() {
	return {
		scalar: [],
		sequence: [],
		mapping: []
	};
}
function compileTags(tags) {
	const result = [];
	for (const tag of tags) {
		let index = result.length;
		for (let previousIndex = 0; previousIndex < result.length; previousIndex++) {
			const previous = result[previousIndex];
			if (previous.nodeKind === tag.nodeKind && previous.tagName === tag.tagName && previous.matchByTagPrefix === tag.matchByTagPrefix) {
				index = previousIndex;
				break;
			}
		}
		result[index] = tag;
	}
	return result;
}
var Schema = class Schema {
	tags;
	implicitScalarTags;
	implicitScalarByFirstChar;
	implicitScalarAnyFirstChar;
	defaultScalarTag;
	defaultSequenceTag;
	defaultMappingTag;
	exact;
	prefix;
	constructor(tags) {
		const compiledTags = compileTags(tags);
		const implicitScalarTags = [];
		const exact = createTagDefinitionMap();
		const prefix = createTagDefinitionListMap();
		for (const tag of compiledTags) {
			if (tag.nodeKind === "scalar" && tag.implicit) {
				if (tag.matchByTagPrefix) throw new Error("Implicit scalar tags cannot match by tag prefix");
				implicitScalarTags.push(tag);
			}
			switch (tag.nodeKind) {
				case "scalar":
					if (tag.matchByTagPrefix) prefix.scalar.push(tag);
					else exact.scalar[tag.tagName] = tag;
					break;
				case "sequence":
					if (tag.matchByTagPrefix) prefix.sequence.push(tag);
					else exact.sequence[tag.tagName] = tag;
					break;
				case "mapping": if (tag.matchByTagPrefix) prefix.mapping.push(tag);
				else exact.mapping[tag.tagName] = tag;
			}
		}
		const implicitScalarAnyFirstChar = implicitScalarTags.filter((tag) => tag.implicitFirstChars === null);
		const keys = new Set();
		for (const tag of implicitScalarTags) if (tag.implicitFirstChars !== null) for (const key of tag.implicitFirstChars) keys.add(key);
		const implicitScalarByFirstChar = new Map();
		for (const key of keys) implicitScalarByFirstChar.set(key, implicitScalarTags.filter((tag) => tag.implicitFirstChars === null || tag.implicitFirstChars.indexOf(key) !== -1));
		const defaultScalarTag = exact.scalar["tag:yaml.org,2002:str"];
		if (!defaultScalarTag) throw new Error("schema does not define the default scalar tag (tag:yaml.org,2002:str)");
		this.tags = compiledTags;
		this.implicitScalarTags = implicitScalarTags;
		this.implicitScalarByFirstChar = implicitScalarByFirstChar;
		this.implicitScalarAnyFirstChar = implicitScalarAnyFirstChar;
		this.defaultScalarTag = defaultScalarTag;
		this.defaultSequenceTag = exact.sequence["tag:yaml.org,2002:seq"];
		this.defaultMappingTag = exact.mapping["tag:yaml.org,2002:map"];
		this.exact = exact;
		this.prefix = prefix;
	}
	lookupScalarTag(tagName) {
		const exactTag = this.exact.scalar[tagName];
		if (exactTag) return exactTag;
		for (const tag of this.prefix.scalar) if (tagName.startsWith(tag.tagName)) return tag;
	}
	lookupSequenceTag(tagName) {
		const exactTag = this.exact.sequence[tagName];
		if (exactTag) return exactTag;
		for (const tag of this.prefix.sequence) if (tagName.startsWith(tag.tagName)) return tag;
	}
	lookupMappingTag(tagName) {
		const exactTag = this.exact.mapping[tagName];
		if (exactTag) return exactTag;
		for (const tag of this.prefix.mapping) if (tagName.startsWith(tag.tagName)) return tag;
	}
	resolveImplicitScalarTag(source) {
		const candidates = this.implicitScalarByFirstChar.get(source.charAt(0)) ?? this.implicitScalarAnyFirstChar;
		for (const tag of candidates) {
			const value = tag.resolve(source, false, tag.tagName);
			if (value !== NOT_RESOLVED) return {
				value,
				tag
			};
		}
		const tag = this.defaultScalarTag;
		return {
			value: tag.resolve(source, false, tag.tagName),
			tag
		};
	}
	withTags(...tags) {
		let flatTags = [];
		for (const tag of tags) flatTags = flatTags.concat(tag);
		return new Schema([...this.tags, ...flatTags]);
	}
};
var FAILSAFE_SCHEMA = new Schema([
	strTag,
	seqTag,
	mapTag
]);
new Schema([
	...FAILSAFE_SCHEMA.tags,
	nullJsonTag,
	boolJsonTag,
	intJsonTag,
	floatJsonTag
]);
var CORE_SCHEMA = new Schema([
	...FAILSAFE_SCHEMA.tags,
	nullCoreTag,
	boolCoreTag,
	intCoreTag,
	floatCoreTag
]);
new Schema([
	...FAILSAFE_SCHEMA.tags,
	nullYaml11Tag,
	boolYaml11Tag,
	intYaml11Tag,
	floatYaml11Tag,
	timestampTag,
	mergeTag,
	binaryTag,
	omapTag,
	pairsTag,
	setTag
]).withTags({
	...intYaml11Tag,
	resolve: (source, isExplicit, tagName) => {
		const result = intYaml11Tag.resolve(source, isExplicit, tagName);
		return result === NOT_RESOLVED ? intCoreTag.resolve(source, isExplicit, tagName) : result;
	}
}, {
	...floatYaml11Tag,
	resolve: (source, isExplicit, tagName) => {
		const result = floatYaml11Tag.resolve(source, isExplicit, tagName);
		return result === NOT_RESOLVED ? floatCoreTag.resolve(source, isExplicit, tagName) : result;
	}
});
defineMappingTag("tag:yaml.org,2002:map", {
	create: () => new Map(),
	addPair: (container, key, value) => {
		container.set(key, value);
		return "";
	},
	has: (container, key) => container.has(key),
	keys: (container) => container.keys(),
	get: (container, key) => container.get(key),
	identify: (data) => data instanceof Map || isPlainObject(data),
	represent: (data) => {
		if (data instanceof Map) return data;
		const map = new Map();
		const obj = data;
		for (const key of Object.keys(obj)) map.set(key, obj[key]);
		return map;
	}
});
function normalizeKey(key) {
	if (Array.isArray(key)) {
		const array = Array.prototype.slice.call(key);
		for (let index = 0; index < array.length; index++) {
			if (Array.isArray(array[index])) return null;
			if (typeof array[index] === "object" && Object.prototype.toString.call(array[index]) === "[object Object]") array[index] = "[object Object]";
		}
		return String(array);
	}
	if (typeof key === "object" && Object.prototype.toString.call(key) === "[object Object]") return "[object Object]";
	return String(key);
}
defineMappingTag("tag:yaml.org,2002:map", {
	create: () => ({}),
	identify: isPlainObject,
	represent: (o) => {
		const map = new Map();
		for (const key of Object.keys(o)) map.set(key, o[key]);
		return map;
	},
	addPair: (container, key, value) => {
		const normalizedKey = normalizeKey(key);
		if (normalizedKey === null) return "nested arrays are not supported inside keys";
		if (normalizedKey === "__proto__") Object.defineProperty(container, normalizedKey, {
			value,
			enumerable: true,
			configurable: true,
			writable: true
		});
		else container[normalizedKey] = value;
		return "";
	},
	has: (container, key) => {
		const normalizedKey = normalizeKey(key);
		return normalizedKey !== null && Object.prototype.hasOwnProperty.call(container, normalizedKey);
	},
	keys: (container) => Object.keys(container),
	get: (container, key) => {
		const normalizedKey = String(key);
		if (!Object.prototype.hasOwnProperty.call(container, normalizedKey)) return null;
		return container[normalizedKey];
	}
});
var DEFAULT_SNIPPET_OPTIONS = {
	maxLength: 79,
	indent: 1,
	linesBefore: 3,
	linesAfter: 2
};
function getLine(buffer, lineStart, lineEnd, position, maxLineLength) {
	let head = "";
	let tail = "";
	const maxHalfLength = Math.floor(maxLineLength / 2) - 1;
	if (position - lineStart > maxHalfLength) {
		head = " ... ";
		lineStart = position - maxHalfLength + head.length;
	}
	if (lineEnd - position > maxHalfLength) {
		tail = " ...";
		lineEnd = position + maxHalfLength - tail.length;
	}
	return {
		str: head + buffer.slice(lineStart, lineEnd).replace(/\t/g, "→") + tail,
		pos: position - lineStart + head.length
	};
}
function padStart(string, max) {
	return " ".repeat(Math.max(max - string.length, 0)) + string;
}
function makeSnippet(mark, options) {
	if (!mark.buffer) return null;
	const opts = {
		...DEFAULT_SNIPPET_OPTIONS,
		...options
	};
	const re = /\r?\n|\r|\0/g;
	const lineStarts = [0];
	const lineEnds = [];
	let match;
	let foundLineNo = -1;
	while (match = re.exec(mark.buffer)) {
		lineEnds.push(match.index);
		lineStarts.push(match.index + match[0].length);
		if (mark.position <= match.index && foundLineNo < 0) foundLineNo = lineStarts.length - 2;
	}
	if (foundLineNo < 0) foundLineNo = lineStarts.length - 1;
	let result = "";
	const lineNoLength = Math.min(mark.line + opts.linesAfter, lineEnds.length).toString().length;
	const maxLineLength = opts.maxLength - (opts.indent + lineNoLength + 3);
	for (let i = 1; i <= opts.linesBefore; i++) {
		if (foundLineNo - i < 0) break;
		const line = getLine(mark.buffer, lineStarts[foundLineNo - i], lineEnds[foundLineNo - i], mark.position - (lineStarts[foundLineNo] - lineStarts[foundLineNo - i]), maxLineLength);
		result = `${" ".repeat(opts.indent)}${padStart((mark.line - i + 1).toString(), lineNoLength)} | ${line.str}\n${result}`;
	}
	const line = getLine(mark.buffer, lineStarts[foundLineNo], lineEnds[foundLineNo], mark.position, maxLineLength);
	result += `${" ".repeat(opts.indent)}${padStart((mark.line + 1).toString(), lineNoLength)} | ${line.str}\n`;
	result += `${"-".repeat(opts.indent + lineNoLength + 3 + line.pos)}^\n`;
	for (let i = 1; i <= opts.linesAfter; i++) {
		if (foundLineNo + i >= lineEnds.length) break;
		const line = getLine(mark.buffer, lineStarts[foundLineNo + i], lineEnds[foundLineNo + i], mark.position - (lineStarts[foundLineNo] - lineStarts[foundLineNo + i]), maxLineLength);
		result += `${" ".repeat(opts.indent)}${padStart((mark.line + i + 1).toString(), lineNoLength)} | ${line.str}\n`;
	}
	return result.replace(/\n$/, "");
}
function formatError(exception, compact) {
	let where = "";
	if (!exception.mark) return exception.reason;
	if (exception.mark.name) where += `in "${exception.mark.name}" `;
	where += `(${exception.mark.line + 1}:${exception.mark.column + 1})`;
	if (!compact && exception.mark.snippet) where += `\n\n${exception.mark.snippet}`;
	return `${exception.reason} ${where}`;
}
var YAMLException = class YAMLException extends Error {
	reason;
	mark;
	constructor(reason, mark) {
		super();
		this.name = "YAMLException";
		this.reason = reason;
		this.mark = mark;
		this.message = formatError(this, false);
		if (Error.captureStackTrace) Error.captureStackTrace(this, this.constructor);
	}
	toString(compact) {
		return `${this.name}: ${formatError(this, compact)}`;
	}
	static throwAt(source, position, message, filename = "") {
		let line = 0;
		let lineStart = 0;
		for (let index = 0; index < position; index++) {
			const ch = source.charCodeAt(index);
			if (ch === 10) {
				line++;
				lineStart = index + 1;
			} else if (ch === 13) {
				line++;
				if (source.charCodeAt(index + 1) === 10) index++;
				lineStart = index + 1;
			}
		}
		const mark = {
			name: filename,
			buffer: source,
			position,
			line,
			column: position - lineStart
		};
		mark.snippet = makeSnippet(mark);
		throw new YAMLException(message, mark);
	}
};
var EVENT_ID = {
	DOCUMENT: 1,
	SEQUENCE: 2,
	MAPPING: 3,
	SCALAR: 4,
	ALIAS: 5,
	POP: 6
};
var SCALAR_STYLE = {
	PLAIN: 1,
	SINGLE_QUOTED: 2,
	DOUBLE_QUOTED: 3,
	LITERAL_BLOCK: 4,
	FOLDED_BLOCK: 5
};
var COLLECTION_STYLE = {
	BLOCK: 1,
	FLOW: 2
};
var CHOMPING_MODE = {
	CLIP: 1,
	STRIP: 2,
	KEEP: 3
};
var NO_RANGE$3 = -1;
function simpleEscapeSequence(c) {
	switch (c) {
		case 48: return "\0";
		case 97: return "\x07";
		case 98: return "\b";
		case 116: return "	";
		case 9: return "	";
		case 110: return "\n";
		case 118: return "\v";
		case 102: return "\f";
		case 114: return "\r";
		case 101: return "\x1B";
		case 32: return " ";
		case 34: return "\"";
		case 47: return "/";
		case 92: return "\\";
		case 78: return "";
		case 95: return "\xA0";
		case 76: return "\u2028";
		case 80: return "\u2029";
		default: return "";
	}
}
var simpleEscapeCheck = new Array(256);
var simpleEscapeMap = new Array(256);
for (let i = 0; i < 256; i++) {
	simpleEscapeCheck[i] = simpleEscapeSequence(i) ? 1 : 0;
	simpleEscapeMap[i] = simpleEscapeSequence(i);
}
function charFromCodepoint(c) {
	if (c <= 65535) return String.fromCharCode(c);
	return String.fromCharCode((c - 65536 >> 10) + 55296, (c - 65536 & 1023) + 56320);
}
function fromHexCode$1(c) {
	if (c >= 48 && c <= 57) return c - 48;
	return (c | 32) - 97 + 10;
}
function escapedHexLen$1(c) {
	if (c === 120) return 2;
	if (c === 117) return 4;
	return 8;
}
function skipFoldedBreaks(input, position, end) {
	let breaks = 0;
	while (position < end) {
		const ch = input.charCodeAt(position);
		if (ch === 10) {
			breaks++;
			position++;
		} else if (ch === 13) {
			breaks++;
			position++;
			if (input.charCodeAt(position) === 10) position++;
		} else if (ch === 32 || ch === 9) position++;
		else break;
	}
	return {
		position,
		breaks
	};
}
function foldedBreaks(count) {
	if (count === 1) return " ";
	return "\n".repeat(count - 1);
}
function getPlainValue(input, start, end) {
	let result = "";
	let position = start;
	let captureStart = start;
	let captureEnd = start;
	while (position < end) {
		const ch = input.charCodeAt(position);
		if (ch === 10 || ch === 13) {
			result += input.slice(captureStart, captureEnd);
			const fold = skipFoldedBreaks(input, position, end);
			result += foldedBreaks(fold.breaks);
			position = captureStart = captureEnd = fold.position;
		} else {
			position++;
			if (ch !== 32 && ch !== 9) captureEnd = position;
		}
	}
	return result + input.slice(captureStart, captureEnd);
}
function getSingleQuotedValue(input, start, end) {
	let result = "";
	let position = start;
	let captureStart = start;
	let captureEnd = start;
	while (position < end) {
		const ch = input.charCodeAt(position);
		if (ch === 39) {
			result += input.slice(captureStart, position) + "'";
			position += 2;
			captureStart = captureEnd = position;
		} else if (ch === 10 || ch === 13) {
			result += input.slice(captureStart, captureEnd);
			const fold = skipFoldedBreaks(input, position, end);
			result += foldedBreaks(fold.breaks);
			position = captureStart = captureEnd = fold.position;
		} else {
			position++;
			if (ch !== 32 && ch !== 9) captureEnd = position;
		}
	}
	return result + input.slice(captureStart, end);
}
function getDoubleQuotedValue(input, start, end) {
	let result = "";
	let position = start;
	let captureStart = start;
	let captureEnd = start;
	while (position < end) {
		const ch = input.charCodeAt(position);
		if (ch === 92) {
			result += input.slice(captureStart, position);
			position++;
			const escaped = input.charCodeAt(position);
			if (escaped === 10 || escaped === 13) position = skipFoldedBreaks(input, position, end).position;
			else if (escaped < 256 && simpleEscapeCheck[escaped]) {
				result += simpleEscapeMap[escaped];
				position++;
			} else {
				let hexLength = escapedHexLen$1(escaped);
				let hexResult = 0;
				for (; hexLength > 0; hexLength--) {
					position++;
					const digit = fromHexCode$1(input.charCodeAt(position));
					hexResult = (hexResult << 4) + digit;
				}
				result += charFromCodepoint(hexResult);
				position++;
			}
			captureStart = captureEnd = position;
		} else if (ch === 10 || ch === 13) {
			result += input.slice(captureStart, captureEnd);
			const fold = skipFoldedBreaks(input, position, end);
			result += foldedBreaks(fold.breaks);
			position = captureStart = captureEnd = fold.position;
		} else {
			position++;
			if (ch !== 32 && ch !== 9) captureEnd = position;
		}
	}
	return result + input.slice(captureStart, end);
}
function getBlockValue(input, start, end, indent, chomping, folded) {
	const textIndent = indent < 0 ? 0 : indent;
	const region = input.slice(start, end).replace(/\r\n?/g, "\n");
	const lines = region === "" ? [] : (region.endsWith("\n") ? region.slice(0, -1) : region).split("\n");
	let result = "";
	let didReadContent = false;
	let emptyLines = 0;
	let atMoreIndented = false;
	for (const line of lines) {
		let column = 0;
		while (column < textIndent && line.charCodeAt(column) === 32) column++;
		if (indent < 0 || column >= line.length) {
			emptyLines++;
			continue;
		}
		const content = line.slice(textIndent);
		const first = content.charCodeAt(0);
		if (folded) {
			if (first === 32 || first === 9) {
				atMoreIndented = true;
				result += "\n".repeat(didReadContent ? 1 + emptyLines : emptyLines);
			} else if (atMoreIndented) {
				atMoreIndented = false;
				result += "\n".repeat(emptyLines + 1);
			} else if (emptyLines === 0) {
				if (didReadContent) result += " ";
			} else result += "\n".repeat(emptyLines);
		} else result += "\n".repeat(didReadContent ? 1 + emptyLines : emptyLines);
		result += content;
		didReadContent = true;
		emptyLines = 0;
	}
	if (chomping === CHOMPING_MODE.KEEP) result += "\n".repeat(didReadContent ? 1 + emptyLines : emptyLines);
	else if (chomping !== CHOMPING_MODE.STRIP) {
		if (didReadContent) result += "\n";
	}
	return result;
}
function getScalarValue(input, scalar) {
	if (scalar.valueStart === NO_RANGE$3) return "";
	const { valueStart, valueEnd } = scalar;
	if (scalar.fast) return input.slice(valueStart, valueEnd);
	switch (scalar.style) {
		case SCALAR_STYLE.SINGLE_QUOTED: return getSingleQuotedValue(input, valueStart, valueEnd);
		case SCALAR_STYLE.DOUBLE_QUOTED: return getDoubleQuotedValue(input, valueStart, valueEnd);
		case SCALAR_STYLE.LITERAL_BLOCK: return getBlockValue(input, valueStart, valueEnd, scalar.indent, scalar.chomping, false);
		case SCALAR_STYLE.FOLDED_BLOCK: return getBlockValue(input, valueStart, valueEnd, scalar.indent, scalar.chomping, true);
		default: return getPlainValue(input, valueStart, valueEnd);
	}
}
Object.assign(Object.create(null), {
	"!": "!",
	"!!": "tag:yaml.org,2002:"
});
var DEFAULT_CONSTRUCTOR_OPTIONS = {
	filename: "",
	schema: CORE_SCHEMA,
	json: false,
	maxTotalMergeKeys: 1e4,
	maxAliases: -1
};
var NO_RANGE$1 = -1;
var HAS_OWN = Object.prototype.hasOwnProperty;
var CONTEXT_FLOW_IN = 1;
var CONTEXT_FLOW_OUT = 2;
var CONTEXT_BLOCK_IN = 3;
var CONTEXT_BLOCK_OUT = 4;
var PATTERN_NON_PRINTABLE = /[\x00-\x08\x0B\x0C\x0E-\x1F\x7F-\x84\x86-\x9F\uFFFE\uFFFF]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?:[^\uD800-\uDBFF]|^)[\uDC00-\uDFFF]/;
var PATTERN_FLOW_INDICATORS = /[,\[\]{}]/;
var PATTERN_TAG_HANDLE = /^(?:!|!!|![0-9A-Za-z-]+!)$/;
var NS_URI_CHAR = String.raw`(?:%[0-9A-Fa-f]{2}|[0-9A-Za-z\-#;/?:@&=+$,_.!~*'()\[\]])`;
var NS_TAG_CHAR = String.raw`(?:%[0-9A-Fa-f]{2}|[0-9A-Za-z\-#;/?:@&=+$.~*'()_])`;
var PATTERN_TAG_URI = new RegExp(`^(?:${NS_URI_CHAR})*$`);
var PATTERN_TAG_SUFFIX = new RegExp(`^(?:${NS_TAG_CHAR})+$`);
var PATTERN_TAG_PREFIX = new RegExp(`^(?:!(?:${NS_URI_CHAR})*|${NS_TAG_CHAR}(?:${NS_URI_CHAR})*)$`);
var DEFAULT_PARSER_OPTIONS = {
	filename: "",
	maxDepth: 100
};
function addDocumentEvent(state, explicitStart, explicitEnd) {
	state.events.push({
		type: EVENT_ID.DOCUMENT,
		explicitStart,
		explicitEnd,
		directives: state.directives
	});
}
function addSequenceEvent(state, start, anchorStart, anchorEnd, tagStart, tagEnd, style) {
	state.events.push({
		type: EVENT_ID.SEQUENCE,
		start,
		anchorStart,
		anchorEnd,
		tagStart,
		tagEnd,
		style
	});
}
function addMappingEvent(state, start, anchorStart, anchorEnd, tagStart, tagEnd, style) {
	state.events.push({
		type: EVENT_ID.MAPPING,
		start,
		anchorStart,
		anchorEnd,
		tagStart,
		tagEnd,
		style
	});
}
function insertFlowPairMappingEvent(state, snapshot) {
	state.events.splice(snapshot.eventsLength, 0, {
		type: EVENT_ID.MAPPING,
		start: snapshot.position,
		anchorStart: NO_RANGE$1,
		anchorEnd: NO_RANGE$1,
		tagStart: NO_RANGE$1,
		tagEnd: NO_RANGE$1,
		style: COLLECTION_STYLE.FLOW
	});
}
function addScalarEvent(state, valueStart, valueEnd, anchorStart, anchorEnd, tagStart, tagEnd, style, chomping = CHOMPING_MODE.CLIP, indent = -1, fast = false) {
	state.events.push({
		type: EVENT_ID.SCALAR,
		valueStart,
		valueEnd,
		anchorStart,
		anchorEnd,
		tagStart,
		tagEnd,
		style,
		chomping,
		indent,
		fast
	});
}
function addAliasEvent(state, anchorStart, anchorEnd) {
	state.events.push({
		type: EVENT_ID.ALIAS,
		anchorStart,
		anchorEnd
	});
}
function addPopEvent(state) {
	state.events.push({ type: EVENT_ID.POP });
}
function addEmptyScalarEvent(state) {
	addScalarEvent(state, NO_RANGE$1, NO_RANGE$1, NO_RANGE$1, NO_RANGE$1, NO_RANGE$1, NO_RANGE$1, SCALAR_STYLE.PLAIN);
}
function emptyProperties() {
	return {
		anchorStart: NO_RANGE$1,
		anchorEnd: NO_RANGE$1,
		tagStart: NO_RANGE$1,
		tagEnd: NO_RANGE$1
	};
}
function snapshotState(state) {
	return {
		position: state.position,
		line: state.line,
		lineStart: state.lineStart,
		lineIndent: state.lineIndent,
		firstTabInLine: state.firstTabInLine,
		eventsLength: state.events.length
	};
}
function restoreState(state, snapshot) {
	state.position = snapshot.position;
	state.line = snapshot.line;
	state.lineStart = snapshot.lineStart;
	state.lineIndent = snapshot.lineIndent;
	state.firstTabInLine = snapshot.firstTabInLine;
	state.events.length = snapshot.eventsLength;
}
function throwError(state, message) {
	YAMLException.throwAt(state.input.slice(0, state.length), state.position, message, state.filename);
}
function isEol(c) {
	return c === 10 || c === 13;
}
function isWhiteSpace(c) {
	return c === 9 || c === 32;
}
function isWsOrEol(c) {
	return isWhiteSpace(c) || isEol(c);
}
function isWsOrEolOrEnd(c) {
	return c === 0 || isWsOrEol(c);
}
function isFlowIndicator(c) {
	return c === 44 || c === 91 || c === 93 || c === 123 || c === 125;
}
function fromDecimalCode(c) {
	return c >= 48 && c <= 57 ? c - 48 : -1;
}
function fromHexCode(c) {
	if (c >= 48 && c <= 57) return c - 48;
	const lc = c | 32;
	if (lc >= 97 && lc <= 102) return lc - 97 + 10;
	return -1;
}
function escapedHexLen(c) {
	if (c === 120) return 2;
	if (c === 117) return 4;
	if (c === 85) return 8;
	return 0;
}
function isSimpleEscape(c) {
	return c === 48 || c === 97 || c === 98 || c === 116 || c === 9 || c === 110 || c === 118 || c === 102 || c === 114 || c === 101 || c === 32 || c === 34 || c === 47 || c === 92 || c === 78 || c === 95 || c === 76 || c === 80;
}
function consumeLineBreak(state) {
	if (state.input.charCodeAt(state.position) === 10) state.position++;
	else {
		state.position++;
		if (state.input.charCodeAt(state.position) === 10) state.position++;
	}
	state.line++;
	state.lineStart = state.position;
	state.lineIndent = 0;
	state.firstTabInLine = -1;
}
function skipSeparationSpace(state, allowComments) {
	let lineBreaks = 0;
	let ch = state.input.charCodeAt(state.position);
	let hasSeparation = state.position === state.lineStart || isWsOrEol(state.input.charCodeAt(state.position - 1));
	while (ch !== 0) {
		while (isWhiteSpace(ch)) {
			hasSeparation = true;
			if (ch === 9 && state.firstTabInLine === -1) state.firstTabInLine = state.position;
			ch = state.input.charCodeAt(++state.position);
		}
		if (allowComments && hasSeparation && ch === 35) do
			ch = state.input.charCodeAt(++state.position);
		while (!isEol(ch) && ch !== 0);
		if (!isEol(ch)) break;
		consumeLineBreak(state);
		lineBreaks++;
		hasSeparation = true;
		ch = state.input.charCodeAt(state.position);
		while (ch === 32) {
			state.lineIndent++;
			ch = state.input.charCodeAt(++state.position);
		}
	}
	return lineBreaks;
}
function testDocumentSeparator(state, position = state.position) {
	const ch = state.input.charCodeAt(position);
	if ((ch === 45 || ch === 46) && ch === state.input.charCodeAt(position + 1) && ch === state.input.charCodeAt(position + 2)) {
		const following = state.input.charCodeAt(position + 3);
		return following === 0 || isWsOrEol(following);
	}
	return false;
}
function skipByteOrderMark(state) {
	if (state.position === state.lineStart && state.input.charCodeAt(state.position) === 65279) {
		state.position++;
		state.lineStart = state.position;
	}
}
function testDocumentBoundary(state) {
	if (state.position !== state.lineStart) return false;
	if (testDocumentSeparator(state)) return true;
	if (state.input.charCodeAt(state.position) !== 65279) return false;
	const snapshot = snapshotState(state);
	skipByteOrderMark(state);
	skipSeparationSpace(state, true);
	const ch = state.input.charCodeAt(state.position);
	const result = state.position === state.lineStart && (ch === 37 || ch === 45 && testDocumentSeparator(state));
	restoreState(state, snapshot);
	return result;
}
function skipUntilLineEnd(state) {
	let ch = state.input.charCodeAt(state.position);
	while (ch !== 0 && !isEol(ch)) ch = state.input.charCodeAt(++state.position);
}
function checkPrintable(state, start, end) {
	const match = PATTERN_NON_PRINTABLE.exec(state.input.slice(start, end));
	if (match !== null) {
		state.position = start + match.index + match[0].length - 1;
		throwError(state, "the stream contains non-printable characters");
	}
}
function readTagProperty(state, props, inFlow) {
	if (state.input.charCodeAt(state.position) !== 33) return false;
	if (props.tagStart !== NO_RANGE$1) throwError(state, "duplication of a tag property");
	const start = state.position;
	let isVerbatim = false;
	let isNamed = false;
	let tagHandle = "!";
	let ch = state.input.charCodeAt(++state.position);
	if (ch === 60) {
		isVerbatim = true;
		ch = state.input.charCodeAt(++state.position);
	} else if (ch === 33) {
		isNamed = true;
		tagHandle = "!!";
		ch = state.input.charCodeAt(++state.position);
	}
	let suffixStart = state.position;
	let tagName;
	if (isVerbatim) {
		while (ch !== 0 && ch !== 62) ch = state.input.charCodeAt(++state.position);
		if (ch !== 62) throwError(state, "unexpected end of the stream within a verbatim tag");
		tagName = state.input.slice(suffixStart, state.position);
		state.position++;
	} else {
		while (ch !== 0 && !isWsOrEol(ch) && !(inFlow && isFlowIndicator(ch))) {
			if (ch === 33) {
				if (!isNamed) {
					tagHandle = state.input.slice(suffixStart - 1, state.position + 1);
					if (!PATTERN_TAG_HANDLE.test(tagHandle)) throwError(state, "named tag handle cannot contain such characters");
					isNamed = true;
					suffixStart = state.position + 1;
				} else throwError(state, "tag suffix cannot contain exclamation marks");
			}
			ch = state.input.charCodeAt(++state.position);
		}
		tagName = state.input.slice(suffixStart, state.position);
		if (PATTERN_FLOW_INDICATORS.test(tagName)) throwError(state, "tag suffix cannot contain flow indicator characters");
	}
	if (tagName && !(isVerbatim ? PATTERN_TAG_URI.test(tagName) : PATTERN_TAG_SUFFIX.test(tagName))) throwError(state, `tag name cannot contain such characters: ${tagName}`);
	if (!isVerbatim && tagHandle !== "!" && tagHandle !== "!!" && !HAS_OWN.call(state.tagHandlers, tagHandle)) throwError(state, `undeclared tag handle "${tagHandle}"`);
	props.tagStart = start;
	props.tagEnd = state.position;
	return true;
}
function readAnchorProperty(state, props) {
	if (state.input.charCodeAt(state.position) !== 38) return false;
	if (props.anchorStart !== NO_RANGE$1) throwError(state, "duplication of an anchor property");
	state.position++;
	const start = state.position;
	while (state.input.charCodeAt(state.position) !== 0 && !isWsOrEol(state.input.charCodeAt(state.position)) && !isFlowIndicator(state.input.charCodeAt(state.position))) state.position++;
	if (state.position === start) throwError(state, "name of an anchor node must contain at least one character");
	props.anchorStart = start;
	props.anchorEnd = state.position;
	return true;
}
function readAlias(state, props) {
	if (state.input.charCodeAt(state.position) !== 42) return false;
	if (props.anchorStart !== NO_RANGE$1 || props.tagStart !== NO_RANGE$1) throwError(state, "alias node should not have any properties");
	state.position++;
	const start = state.position;
	while (state.input.charCodeAt(state.position) !== 0 && !isWsOrEol(state.input.charCodeAt(state.position)) && !isFlowIndicator(state.input.charCodeAt(state.position))) state.position++;
	if (state.position === start) throwError(state, "name of an alias node must contain at least one character");
	addAliasEvent(state, start, state.position);
	return true;
}
function readFlowScalarBreak(state, nodeIndent) {
	skipSeparationSpace(state, false);
	if (state.lineIndent < nodeIndent) throwError(state, "deficient indentation");
}
function readSingleQuotedScalar(state, nodeIndent, props) {
	if (state.input.charCodeAt(state.position) !== 39) return false;
	state.position++;
	const start = state.position;
	let simple = true;
	while (state.input.charCodeAt(state.position) !== 0) {
		const ch = state.input.charCodeAt(state.position);
		if (ch === 39) {
			if (state.input.charCodeAt(state.position + 1) === 39) {
				simple = false;
				state.position += 2;
				continue;
			}
			const end = state.position;
			state.position++;
			addScalarEvent(state, start, end, props.anchorStart, props.anchorEnd, props.tagStart, props.tagEnd, SCALAR_STYLE.SINGLE_QUOTED, CHOMPING_MODE.CLIP, -1, simple);
			return true;
		}
		if (isEol(ch)) {
			simple = false;
			readFlowScalarBreak(state, nodeIndent);
		} else if (state.position === state.lineStart && testDocumentSeparator(state)) throwError(state, "unexpected end of the document within a single quoted scalar");
		else if (ch !== 9 && ch < 32) throwError(state, "expected valid JSON character");
		else state.position++;
	}
	throwError(state, "unexpected end of the stream within a single quoted scalar");
}
function readDoubleQuotedScalar(state, nodeIndent, props) {
	if (state.input.charCodeAt(state.position) !== 34) return false;
	state.position++;
	const start = state.position;
	let simple = true;
	while (state.input.charCodeAt(state.position) !== 0) {
		const ch = state.input.charCodeAt(state.position);
		if (ch === 34) {
			const end = state.position;
			state.position++;
			addScalarEvent(state, start, end, props.anchorStart, props.anchorEnd, props.tagStart, props.tagEnd, SCALAR_STYLE.DOUBLE_QUOTED, CHOMPING_MODE.CLIP, -1, simple);
			return true;
		}
		if (ch === 92) {
			simple = false;
			const escaped = state.input.charCodeAt(++state.position);
			if (isEol(escaped)) readFlowScalarBreak(state, nodeIndent);
			else if (isSimpleEscape(escaped)) state.position++;
			else {
				let hexLength = escapedHexLen(escaped);
				if (hexLength === 0) throwError(state, "unknown escape sequence");
				while (hexLength-- > 0) {
					state.position++;
					if (fromHexCode(state.input.charCodeAt(state.position)) < 0) throwError(state, "expected hexadecimal character");
				}
				state.position++;
			}
		} else if (isEol(ch)) {
			simple = false;
			readFlowScalarBreak(state, nodeIndent);
		} else if (state.position === state.lineStart && testDocumentSeparator(state)) throwError(state, "unexpected end of the document within a double quoted scalar");
		else if (ch !== 9 && ch < 32) throwError(state, "expected valid JSON character");
		else state.position++;
	}
	throwError(state, "unexpected end of the stream within a double quoted scalar");
}
function readBlockScalar(state, parentIndent, props) {
	const ch = state.input.charCodeAt(state.position);
	let chomping = CHOMPING_MODE.CLIP;
	let indent = -1;
	let detectedIndent = false;
	if (ch !== 124 && ch !== 62) return false;
	const style = ch === 124 ? SCALAR_STYLE.LITERAL_BLOCK : SCALAR_STYLE.FOLDED_BLOCK;
	state.position++;
	while (state.input.charCodeAt(state.position) !== 0) {
		const current = state.input.charCodeAt(state.position);
		const digit = fromDecimalCode(current);
		if (current === 43 || current === 45) {
			if (chomping !== CHOMPING_MODE.CLIP) throwError(state, "repeat of a chomping mode identifier");
			chomping = current === 43 ? CHOMPING_MODE.KEEP : CHOMPING_MODE.STRIP;
			state.position++;
		} else if (digit >= 0) {
			if (digit === 0) throwError(state, "bad explicit indentation width of a block scalar; it cannot be less than one");
			if (detectedIndent) throwError(state, "repeat of an indentation width identifier");
			indent = parentIndent + digit - 1;
			detectedIndent = true;
			state.position++;
		} else break;
	}
	let hadWhitespace = false;
	while (isWhiteSpace(state.input.charCodeAt(state.position))) {
		hadWhitespace = true;
		state.position++;
	}
	if (hadWhitespace && state.input.charCodeAt(state.position) === 35) skipUntilLineEnd(state);
	if (isEol(state.input.charCodeAt(state.position))) consumeLineBreak(state);
	else if (state.input.charCodeAt(state.position) !== 0) throwError(state, "a line break is expected");
	let contentIndent = detectedIndent ? indent : -1;
	let maxLeadingIndent = 0;
	const valueStart = state.position;
	let valueEnd = state.position;
	while (state.input.charCodeAt(state.position) !== 0) {
		const linePosition = state.position;
		let column = 0;
		while (state.input.charCodeAt(linePosition + column) === 32) column++;
		const first = state.input.charCodeAt(linePosition + column);
		if (first === 0) {
			if (contentIndent >= 0) {
				if (column > contentIndent) valueEnd = linePosition + column;
			} else if (column > 0) valueEnd = linePosition + column;
			break;
		}
		if (testDocumentBoundary(state)) break;
		if (!detectedIndent && contentIndent === -1 && isEol(first)) maxLeadingIndent = Math.max(maxLeadingIndent, column);
		if (!detectedIndent && contentIndent === -1 && !isEol(first)) {
			if (first === 9 && column < parentIndent) {
				state.position = linePosition + column;
				throwError(state, "tab characters must not be used in indentation");
			}
			if (column >= parentIndent && column < maxLeadingIndent) {
				state.position = linePosition + column;
				throwError(state, "bad indentation of a mapping entry");
			}
		}
		if (contentIndent === -1 && first !== 0 && !isEol(first) && column < parentIndent) {
			state.lineIndent = column;
			state.position = linePosition + column;
			break;
		}
		if (!detectedIndent && first !== 0 && !isEol(first) && contentIndent === -1) contentIndent = column;
		const requiredIndent = contentIndent === -1 ? parentIndent + 1 : contentIndent;
		if (first !== 0 && !isEol(first) && column < requiredIndent) {
			state.lineIndent = column;
			state.position = linePosition + column;
			break;
		}
		skipUntilLineEnd(state);
		valueEnd = state.position;
		if (isEol(state.input.charCodeAt(state.position))) {
			consumeLineBreak(state);
			valueEnd = state.position;
		}
	}
	checkPrintable(state, valueStart, valueEnd);
	addScalarEvent(state, valueStart, valueEnd, props.anchorStart, props.anchorEnd, props.tagStart, props.tagEnd, style, chomping, contentIndent);
	return true;
}
function canStartPlainScalar(state, nodeContext) {
	const ch = state.input.charCodeAt(state.position);
	const inFlow = nodeContext === CONTEXT_FLOW_IN;
	if (ch === 0 || isWsOrEol(ch) || ch === 35 || ch === 38 || ch === 42 || ch === 33 || ch === 124 || ch === 62 || ch === 39 || ch === 34 || ch === 37 || ch === 64 || ch === 96 || isFlowIndicator(ch)) return false;
	if (ch === 63 || ch === 45) {
		const following = state.input.charCodeAt(state.position + 1);
		if (isWsOrEolOrEnd(following) || inFlow && isFlowIndicator(following)) return false;
	}
	return true;
}
function readPlainScalar(state, nodeIndent, nodeContext, props) {
	if (!canStartPlainScalar(state, nodeContext)) return false;
	const start = state.position;
	let end = state.position;
	let ch = state.input.charCodeAt(state.position);
	const inFlow = nodeContext === CONTEXT_FLOW_IN;
	let multiline = false;
	while (ch !== 0) {
		if (testDocumentBoundary(state)) break;
		if (ch === 58) {
			const following = state.input.charCodeAt(state.position + 1);
			if (isWsOrEolOrEnd(following) || inFlow && isFlowIndicator(following)) break;
		} else if (ch === 35) {
			if (isWsOrEol(state.input.charCodeAt(state.position - 1))) break;
		} else if (inFlow && isFlowIndicator(ch)) break;
		else if (isEol(ch)) {
			const savedPosition = state.position;
			const savedLine = state.line;
			const savedLineStart = state.lineStart;
			const savedLineIndent = state.lineIndent;
			skipSeparationSpace(state, false);
			if (state.lineIndent >= nodeIndent) {
				multiline = true;
				ch = state.input.charCodeAt(state.position);
				continue;
			}
			state.position = savedPosition;
			state.line = savedLine;
			state.lineStart = savedLineStart;
			state.lineIndent = savedLineIndent;
			break;
		}
		if (!isWhiteSpace(ch)) end = state.position + 1;
		ch = state.input.charCodeAt(++state.position);
	}
	if (end === start) return false;
	checkPrintable(state, start, end);
	addScalarEvent(state, start, end, props.anchorStart, props.anchorEnd, props.tagStart, props.tagEnd, SCALAR_STYLE.PLAIN, CHOMPING_MODE.CLIP, -1, !multiline);
	return true;
}
function skipFlowSeparationSpace(state, nodeIndent) {
	const startLine = state.line;
	skipSeparationSpace(state, true);
	if (state.line > startLine && state.lineIndent < nodeIndent || state.firstTabInLine !== -1 && state.lineIndent < nodeIndent) throwError(state, "deficient indentation");
}
function readFlowCollection(state, nodeIndent, props) {
	const ch = state.input.charCodeAt(state.position);
	const isMapping = ch === 123;
	const start = state.position;
	let readNext = true;
	if (ch !== 91 && ch !== 123) return false;
	const terminator = isMapping ? 125 : 93;
	if (isMapping) addMappingEvent(state, start, props.anchorStart, props.anchorEnd, props.tagStart, props.tagEnd, COLLECTION_STYLE.FLOW);
	else addSequenceEvent(state, start, props.anchorStart, props.anchorEnd, props.tagStart, props.tagEnd, COLLECTION_STYLE.FLOW);
	state.position++;
	while (state.input.charCodeAt(state.position) !== 0) {
		skipFlowSeparationSpace(state, nodeIndent);
		let ch = state.input.charCodeAt(state.position);
		if (ch === terminator) {
			state.position++;
			addPopEvent(state);
			return true;
		} else if (!readNext) throwError(state, "missed comma between flow collection entries");
		else if (ch === 44) throwError(state, "expected the node content, but found ','");
		let isPair = false;
		let isExplicitPair = false;
		if (ch === 63 && isWsOrEol(state.input.charCodeAt(state.position + 1))) {
			isPair = isExplicitPair = true;
			state.position += 1;
			skipFlowSeparationSpace(state, nodeIndent);
		}
		const entryLine = state.line;
		const entryStart = snapshotState(state);
		const keyWasRead = parseNode(state, nodeIndent, CONTEXT_FLOW_IN, false, true);
		skipFlowSeparationSpace(state, nodeIndent);
		ch = state.input.charCodeAt(state.position);
		if ((isMapping || isExplicitPair || state.line === entryLine) && ch === 58) {
			isPair = true;
			state.position++;
			skipFlowSeparationSpace(state, nodeIndent);
			if (!isMapping) {
				insertFlowPairMappingEvent(state, entryStart);
				if (!keyWasRead) addEmptyScalarEvent(state);
			} else if (!keyWasRead) addEmptyScalarEvent(state);
			if (!parseNode(state, nodeIndent, CONTEXT_FLOW_IN, false, true)) addEmptyScalarEvent(state);
			skipFlowSeparationSpace(state, nodeIndent);
			if (!isMapping) addPopEvent(state);
		} else if (isMapping && isPair) {
			if (!keyWasRead) addEmptyScalarEvent(state);
			addEmptyScalarEvent(state);
		} else if (isMapping) addEmptyScalarEvent(state);
		else if (isPair) {
			insertFlowPairMappingEvent(state, entryStart);
			if (!keyWasRead) addEmptyScalarEvent(state);
			addEmptyScalarEvent(state);
			addPopEvent(state);
		}
		ch = state.input.charCodeAt(state.position);
		if (ch === 44) {
			readNext = true;
			state.position++;
		} else readNext = false;
	}
	throwError(state, "unexpected end of the stream within a flow collection");
}
function readBlockSequence(state, nodeIndent, props) {
	if (state.firstTabInLine !== -1 || state.input.charCodeAt(state.position) !== 45 || !isWsOrEolOrEnd(state.input.charCodeAt(state.position + 1))) return false;
	addSequenceEvent(state, state.position, props.anchorStart, props.anchorEnd, props.tagStart, props.tagEnd, COLLECTION_STYLE.BLOCK);
	while (state.input.charCodeAt(state.position) === 45 && isWsOrEolOrEnd(state.input.charCodeAt(state.position + 1))) {
		if (state.firstTabInLine !== -1) {
			state.position = state.firstTabInLine;
			throwError(state, "tab characters must not be used in indentation");
		}
		const entryLine = state.line;
		state.position++;
		const hadBreak = skipSeparationSpace(state, true) > 0;
		if (state.firstTabInLine !== -1 && state.input.charCodeAt(state.position) === 45 && isWsOrEolOrEnd(state.input.charCodeAt(state.position + 1))) throwError(state, "bad indentation of a sequence entry");
		if (hadBreak && state.lineIndent <= nodeIndent) addEmptyScalarEvent(state);
		else parseNode(state, nodeIndent, CONTEXT_BLOCK_IN, false, true);
		skipSeparationSpace(state, true);
		if (state.lineIndent < nodeIndent || state.position >= state.length) break;
		if (state.lineIndent > nodeIndent) throwError(state, "bad indentation of a sequence entry");
		if (state.line === entryLine && state.input.charCodeAt(state.position) === 45 && isWsOrEolOrEnd(state.input.charCodeAt(state.position + 1))) throwError(state, "bad indentation of a sequence entry");
	}
	addPopEvent(state);
	return true;
}
function readBlockMapping(state, nodeIndent, flowIndent, props) {
	let atExplicitKey = false;
	let detected = false;
	let mappingOpened = false;
	let pendingExplicitKey = false;
	if (state.firstTabInLine !== -1) return false;
	let ch = state.input.charCodeAt(state.position);
	while (ch !== 0) {
		if (!atExplicitKey && state.firstTabInLine !== -1) {
			state.position = state.firstTabInLine;
			throwError(state, "tab characters must not be used in indentation");
		}
		const following = state.input.charCodeAt(state.position + 1);
		const entryLine = state.line;
		if ((ch === 63 || ch === 58) && isWsOrEolOrEnd(following)) {
			if (!mappingOpened) {
				addMappingEvent(state, state.position, props.anchorStart, props.anchorEnd, props.tagStart, props.tagEnd, COLLECTION_STYLE.BLOCK);
				mappingOpened = true;
			}
			if (ch === 63) {
				if (atExplicitKey) addEmptyScalarEvent(state);
				detected = true;
				atExplicitKey = true;
			} else if (atExplicitKey) atExplicitKey = false;
			else {
				addEmptyScalarEvent(state);
				detected = true;
				atExplicitKey = false;
			}
			state.position += 1;
			pendingExplicitKey = true;
		} else {
			if (atExplicitKey) {
				addEmptyScalarEvent(state);
				atExplicitKey = false;
			}
			const beforeKey = snapshotState(state);
			if (!parseNode(state, flowIndent, CONTEXT_FLOW_OUT, false, true)) break;
			if (state.line === entryLine) {
				ch = state.input.charCodeAt(state.position);
				while (isWhiteSpace(ch)) ch = state.input.charCodeAt(++state.position);
				if (ch === 58) {
					ch = state.input.charCodeAt(++state.position);
					if (!isWsOrEolOrEnd(ch)) throwError(state, "a whitespace character is expected after the key-value separator within a block mapping");
					if (!mappingOpened) {
						state.events.splice(beforeKey.eventsLength, 0, {
							type: EVENT_ID.MAPPING,
							start: beforeKey.position,
							anchorStart: props.anchorStart,
							anchorEnd: props.anchorEnd,
							tagStart: props.tagStart,
							tagEnd: props.tagEnd,
							style: COLLECTION_STYLE.BLOCK
						});
						mappingOpened = true;
					}
					detected = true;
					atExplicitKey = false;
					pendingExplicitKey = false;
				} else if (detected) throwError(state, "expected ':' after a mapping key");
				else {
					if (props.anchorStart !== NO_RANGE$1 || props.tagStart !== NO_RANGE$1) {
						restoreState(state, beforeKey);
						return false;
					}
					return true;
				}
			} else if (detected) throwError(state, "can not read a block mapping entry; a multiline key may not be an implicit key");
			else {
				if (props.anchorStart !== NO_RANGE$1 || props.tagStart !== NO_RANGE$1) {
					restoreState(state, beforeKey);
					return false;
				}
				return true;
			}
		}
		if (parseNode(state, nodeIndent, CONTEXT_BLOCK_OUT, true, pendingExplicitKey)) pendingExplicitKey = false;
		if (!atExplicitKey) {
			if (pendingExplicitKey) {
				addEmptyScalarEvent(state);
				pendingExplicitKey = false;
			}
		}
		skipSeparationSpace(state, true);
		ch = state.input.charCodeAt(state.position);
		if ((state.line === entryLine || state.lineIndent > nodeIndent) && ch !== 0) throwError(state, "bad indentation of a mapping entry");
		else if (state.lineIndent < nodeIndent) break;
	}
	if (!detected) return false;
	if (atExplicitKey) addEmptyScalarEvent(state);
	if (mappingOpened) addPopEvent(state);
	return true;
}
function parseNode(state, parentIndent, nodeContext, allowToSeek, allowCompact, allowPropertyMapping = true) {
	if (state.depth >= state.maxDepth) throwError(state, `nesting exceeded maxDepth (${state.maxDepth})`);
	state.depth++;
	let indentStatus = 1;
	let atNewLine = false;
	let hasContent = false;
	let propertyStart = null;
	const props = emptyProperties();
	let allowBlockScalars = nodeContext === CONTEXT_BLOCK_OUT || nodeContext === CONTEXT_BLOCK_IN;
	let allowBlockCollections = allowBlockScalars;
	const allowBlockStyles = allowBlockScalars;
	if (allowToSeek && skipSeparationSpace(state, true)) {
		atNewLine = true;
		if (state.lineIndent > parentIndent) indentStatus = 1;
		else if (state.lineIndent === parentIndent) indentStatus = 0;
		else indentStatus = -1;
	}
	if (indentStatus === 1) while (true) {
		const ch = state.input.charCodeAt(state.position);
		const propertyState = snapshotState(state);
		if (atNewLine && indentStatus !== 1 && (ch === 33 || ch === 38)) break;
		if (atNewLine && allowBlockStyles && (props.tagStart !== NO_RANGE$1 || props.anchorStart !== NO_RANGE$1) && (ch === 33 || ch === 38)) {
			const fallbackState = snapshotState(state);
			const flowIndent = parentIndent + 1;
			if (readBlockMapping(state, state.position - state.lineStart, flowIndent, props) && state.events[fallbackState.eventsLength]?.type === EVENT_ID.MAPPING) {
				state.depth--;
				return true;
			}
			restoreState(state, fallbackState);
		}
		if (atNewLine && (ch === 33 && props.tagStart !== NO_RANGE$1 || ch === 38 && props.anchorStart !== NO_RANGE$1)) break;
		if (!readTagProperty(state, props, nodeContext === CONTEXT_FLOW_IN) && !readAnchorProperty(state, props)) break;
		if (propertyStart === null) propertyStart = propertyState;
		if (skipSeparationSpace(state, true)) {
			atNewLine = true;
			allowBlockCollections = allowBlockStyles;
			if (state.lineIndent > parentIndent) indentStatus = 1;
			else if (state.lineIndent === parentIndent) indentStatus = 0;
			else indentStatus = -1;
		} else allowBlockCollections = false;
	}
	if (allowBlockCollections) allowBlockCollections = atNewLine || allowCompact;
	if (indentStatus === 1 || nodeContext === CONTEXT_BLOCK_OUT) {
		const flowIndent = nodeContext === CONTEXT_FLOW_IN || nodeContext === CONTEXT_FLOW_OUT ? parentIndent : parentIndent + 1;
		const blockIndent = state.position - state.lineStart;
		if (indentStatus === 1) {
			if (allowBlockCollections && (readBlockSequence(state, blockIndent, props) || readBlockMapping(state, blockIndent, flowIndent, props)) || readFlowCollection(state, flowIndent, props)) hasContent = true;
			else {
				const ch = state.input.charCodeAt(state.position);
				if (propertyStart !== null && allowPropertyMapping && allowBlockStyles && !allowBlockCollections && ch !== 124 && ch !== 62) {
					const fallbackState = snapshotState(state);
					const propertyIndent = propertyStart.position - propertyStart.lineStart;
					restoreState(state, propertyStart);
					if (readBlockMapping(state, propertyIndent, flowIndent, emptyProperties()) && state.events[fallbackState.eventsLength]?.type === EVENT_ID.MAPPING) hasContent = true;
					else restoreState(state, fallbackState);
				}
				if (!hasContent && (allowBlockScalars && readBlockScalar(state, flowIndent, props) || readSingleQuotedScalar(state, flowIndent, props) || readDoubleQuotedScalar(state, flowIndent, props) || readAlias(state, props) || readPlainScalar(state, flowIndent, nodeContext, props))) hasContent = true;
			}
		} else if (indentStatus === 0) hasContent = allowBlockCollections && readBlockSequence(state, blockIndent, props);
	}
	allowBlockScalars = allowBlockScalars && !hasContent;
	if (!hasContent && (props.anchorStart !== NO_RANGE$1 || props.tagStart !== NO_RANGE$1 || allowBlockScalars)) {
		addScalarEvent(state, NO_RANGE$1, NO_RANGE$1, props.anchorStart, props.anchorEnd, props.tagStart, props.tagEnd, SCALAR_STYLE.PLAIN);
		hasContent = true;
	}
	state.depth--;
	return hasContent || props.anchorStart !== NO_RANGE$1 || props.tagStart !== NO_RANGE$1;
}
function readDirective(state) {
	if (state.lineIndent > 0 || state.input.charCodeAt(state.position) !== 37) return false;
	state.position++;
	const nameStart = state.position;
	while (state.input.charCodeAt(state.position) !== 0 && !isWsOrEol(state.input.charCodeAt(state.position))) state.position++;
	const name = state.input.slice(nameStart, state.position);
	const args = [];
	if (name.length === 0) throwError(state, "directive name must not be less than one character in length");
	while (state.input.charCodeAt(state.position) !== 0 && !isEol(state.input.charCodeAt(state.position))) {
		while (isWhiteSpace(state.input.charCodeAt(state.position))) state.position++;
		if (state.input.charCodeAt(state.position) === 35 || isEol(state.input.charCodeAt(state.position)) || state.input.charCodeAt(state.position) === 0) break;
		const start = state.position;
		while (state.input.charCodeAt(state.position) !== 0 && !isWsOrEol(state.input.charCodeAt(state.position))) state.position++;
		args.push(state.input.slice(start, state.position));
	}
	if (isEol(state.input.charCodeAt(state.position))) consumeLineBreak(state);
	if (name === "YAML") {
		if (state.directives.some((directive) => directive.kind === "yaml")) throwError(state, "duplication of %YAML directive");
		if (args.length !== 1) throwError(state, "YAML directive accepts exactly one argument");
		const match = /^([0-9]+)\.([0-9]+)$/.exec(args[0]);
		if (match === null) throwError(state, "ill-formed argument of the YAML directive");
		if (parseInt(match[1], 10) !== 1) throwError(state, "unacceptable YAML version of the document");
		state.directives.push({
			kind: "yaml",
			version: args[0]
		});
	} else if (name === "TAG") {
		if (args.length !== 2) throwError(state, "TAG directive accepts exactly two arguments");
		const [handle, prefix] = args;
		if (!PATTERN_TAG_HANDLE.test(handle)) throwError(state, "ill-formed tag handle (first argument) of the TAG directive");
		if (HAS_OWN.call(state.tagHandlers, handle)) throwError(state, `there is a previously declared suffix for "${handle}" tag handle`);
		if (!PATTERN_TAG_PREFIX.test(prefix)) throwError(state, "ill-formed tag prefix (second argument) of the TAG directive");
		state.tagHandlers[handle] = prefix;
		state.directives.push({
			kind: "tag",
			handle,
			prefix
		});
	}
	return true;
}
function readDocument$1(state) {
	state.directives = [];
	state.tagHandlers = Object.create(null);
	let hasDirectives = false;
	skipSeparationSpace(state, true);
	while (readDirective(state)) {
		hasDirectives = true;
		skipSeparationSpace(state, true);
	}
	let explicitStart = false;
	let explicitEnd = false;
	let allowCompact = true;
	if (state.lineIndent === 0 && state.input.charCodeAt(state.position) === 45 && state.input.charCodeAt(state.position + 1) === 45 && state.input.charCodeAt(state.position + 2) === 45 && isWsOrEolOrEnd(state.input.charCodeAt(state.position + 3))) {
		explicitStart = true;
		const markerLine = state.line;
		state.position += 3;
		skipSeparationSpace(state, true);
		allowCompact = state.line > markerLine;
	} else if (hasDirectives) throwError(state, "directives end mark is expected");
	const documentEventIndex = state.events.length;
	if (!explicitStart && state.position === state.lineStart && state.input.charCodeAt(state.position) === 46 && testDocumentSeparator(state)) {
		state.position += 3;
		skipSeparationSpace(state, true);
		return;
	}
	addDocumentEvent(state, explicitStart, false);
	if (!parseNode(state, state.lineIndent - 1, CONTEXT_BLOCK_OUT, false, allowCompact, allowCompact)) addEmptyScalarEvent(state);
	skipSeparationSpace(state, true);
	if (state.position === state.lineStart && testDocumentSeparator(state)) {
		explicitEnd = state.input.charCodeAt(state.position) === 46;
		if (explicitEnd) {
			const markerLine = state.line;
			state.position += 3;
			skipSeparationSpace(state, true);
			if (state.line === markerLine && state.position < state.length) throwError(state, "end of the stream or a document separator is expected");
		}
	}
	const documentEvent = state.events[documentEventIndex];
	if (documentEvent?.type === EVENT_ID.DOCUMENT) documentEvent.explicitEnd = explicitEnd;
	addPopEvent(state);
	if (!explicitEnd && state.position < state.length && !testDocumentBoundary(state)) throwError(state, "end of the stream or a document separator is expected");
}
function parseEvents(input, options) {
	const length = input.length;
	const state = {
		...DEFAULT_PARSER_OPTIONS,
		...options,
		input: `${input}\0`,
		length,
		position: 0,
		line: 0,
		lineStart: 0,
		lineIndent: 0,
		firstTabInLine: -1,
		depth: 0,
		directives: [],
		tagHandlers: Object.create(null),
		events: []
	};
	const nullpos = input.indexOf("\0");
	if (nullpos !== -1) YAMLException.throwAt(input, nullpos, "null byte is not allowed in input", state.filename);
	while (state.position < state.length) {
		skipByteOrderMark(state);
		skipSeparationSpace(state, true);
		if (state.position >= state.length) break;
		const documentStart = state.position;
		readDocument$1(state);
		if (state.position === documentStart) throwError(state, "can not read a document");
	}
	return state.events;
}
({
	...DEFAULT_PARSER_OPTIONS,
	...DEFAULT_CONSTRUCTOR_OPTIONS
});
function hasBit(mask, bit) {
	return (mask & 1 << bit) !== 0;
}
var DEFAULT_SCALAR_STYLE_RULES = {
	applyQuoteFlowKeysOption,
	doubleQuoteForInvisibles,
	doubleQuoteWhitespaceOnly,
	applyForceQuotesOption,
	tryLongOrMultilineAsBlock,
	quoteInvalidPlain,
	fallbackToDoubleQuoted
};
function _preferredQuotedStyle(layout) {
	if (layout.presenterOptions.quoteStyle === "single" && hasBit(layout.allowedStylesMask, SCALAR_STYLE.SINGLE_QUOTED)) return SCALAR_STYLE.SINGLE_QUOTED;
	return SCALAR_STYLE.DOUBLE_QUOTED;
}
function applyQuoteFlowKeysOption(layout) {
	if (!layout.presenterOptions.quoteFlowKeys) return;
	if (!layout.isKey || !layout.flowOnly || layout.style !== SCALAR_STYLE.PLAIN) return;
	layout.style = SCALAR_STYLE.DOUBLE_QUOTED;
}
function doubleQuoteForInvisibles(layout) {
	if (layout.style === SCALAR_STYLE.PLAIN && /[\t\x7F-\xA0\u2028\u2029\uFEFF\uFFFE\uFFFF]/.test(layout.node.value)) layout.style = SCALAR_STYLE.DOUBLE_QUOTED;
}
function doubleQuoteWhitespaceOnly(layout) {
	if (layout.style === SCALAR_STYLE.PLAIN && /^\s+$/.test(layout.node.value)) layout.style = SCALAR_STYLE.DOUBLE_QUOTED;
}
function applyForceQuotesOption(layout) {
	if (!layout.presenterOptions.forceQuotes) return;
	if (layout.isKey || layout.style !== SCALAR_STYLE.PLAIN) return;
	if (layout.node.tag !== layout.presenterOptions.schema.defaultScalarTag.tagName) return;
	layout.style = layout.node.value.includes("\n") ? SCALAR_STYLE.DOUBLE_QUOTED : _preferredQuotedStyle(layout);
}
function tryLongOrMultilineAsBlock(layout) {
	if (layout.style !== SCALAR_STYLE.PLAIN || layout.isKey) return;
	const value = layout.node.value;
	const multiline = value.indexOf("\n") !== -1;
	if (!hasBit(layout.allowedStylesMask, SCALAR_STYLE.LITERAL_BLOCK)) {
		if (multiline) layout.style = SCALAR_STYLE.DOUBLE_QUOTED;
		return;
	}
	const w = layout.presenterOptions.lineWidth;
	if (w === -1) {
		if (multiline) layout.style = SCALAR_STYLE.LITERAL_BLOCK;
		return;
	}
	const availableWidth = Math.max(Math.min(w, 40), w - layout.shiftOfContent);
	let position = 0;
	let shouldFold = false;
	while (position <= value.length) {
		let lineEnd = value.length;
		const nextLineBreak = value.indexOf("\n", position);
		if (nextLineBreak !== -1) lineEnd = nextLineBreak;
		const line = value.slice(position, lineEnd);
		if (line.length > availableWidth && line[0] !== " " && / [^ \t]/.test(line)) shouldFold = true;
		if (nextLineBreak === -1) break;
		position = nextLineBreak + 1;
	}
	if (shouldFold) layout.style = SCALAR_STYLE.FOLDED_BLOCK;
	else if (multiline) layout.style = SCALAR_STYLE.LITERAL_BLOCK;
}
function quoteInvalidPlain(layout) {
	if (layout.style === SCALAR_STYLE.PLAIN && !hasBit(layout.allowedStylesMask, SCALAR_STYLE.PLAIN)) layout.style = _preferredQuotedStyle(layout);
}
function fallbackToDoubleQuoted(layout) {
	if (!hasBit(layout.allowedStylesMask, layout.style)) layout.style = SCALAR_STYLE.DOUBLE_QUOTED;
}
var SRC_C_PRINTABLE = "[\\x09\\x0A\\x0D\\x20-\\x7E\\x85\\xA0-\\uD7FF\\uE000-\\uFFFD\\u{10000}-\\u{10FFFF}]";
var SRC_B_CHAR = "[\\n\\r]";
var SRC_C_BYTE_ORDER_MARK = "\\uFEFF";
var SRC_S_WHITE = "[ \\t]";
var SRC_NB_CHAR = `(?:(?!(?:${SRC_B_CHAR}|${SRC_C_BYTE_ORDER_MARK}))${SRC_C_PRINTABLE})`;
var SRC_NS_CHAR = `(?:(?!${SRC_S_WHITE})${SRC_NB_CHAR})`;
var SRC_NB_JSON = "[\\x09\\x20-\\uD7FF\\uE000-\\uFFFF\\u{10000}-\\u{10FFFF}]";
var SRC_C_INDICATOR = "[-?:,\\[\\]{}#&*!|>'\"%@`]";
var SRC_C_FLOW_INDICATOR = "[,\\[\\]{}]";
var SRC_NS_PLAIN_SAFE_FLOW_OUT = SRC_NS_CHAR;
var SRC_NS_PLAIN_SAFE_FLOW_IN = `(?:(?!${SRC_C_FLOW_INDICATOR})${SRC_NS_CHAR})`;
var SRC_NS_PLAIN_FIRST_FLOW_OUT = `(?:(?:(?!${SRC_C_INDICATOR})${SRC_NS_CHAR})|[?:-](?=${SRC_NS_PLAIN_SAFE_FLOW_OUT}))`;
var SRC_NS_PLAIN_FIRST_FLOW_IN = `(?:(?:(?!${SRC_C_INDICATOR})${SRC_NS_CHAR})|[?:-](?=${SRC_NS_PLAIN_SAFE_FLOW_IN}))`;
var SRC_NS_PLAIN_CHAR_FLOW_OUT = `(?:(?:(?![:#])${SRC_NS_PLAIN_SAFE_FLOW_OUT})|:(?=${SRC_NS_PLAIN_SAFE_FLOW_OUT}))#*`;
var SRC_NS_PLAIN_CHAR_FLOW_IN = `(?:(?:(?![:#])${SRC_NS_PLAIN_SAFE_FLOW_IN})|:(?=${SRC_NS_PLAIN_SAFE_FLOW_IN}))#*`;
var SRC_NB_NS_PLAIN_IN_LINE_FLOW_OUT = `(?:${SRC_S_WHITE}*${SRC_NS_PLAIN_CHAR_FLOW_OUT})*`;
var SRC_NB_NS_PLAIN_IN_LINE_FLOW_IN = `(?:${SRC_S_WHITE}*${SRC_NS_PLAIN_CHAR_FLOW_IN})*`;
var SRC_NS_PLAIN_ONE_LINE_FLOW_OUT = `${SRC_NS_PLAIN_FIRST_FLOW_OUT}#*${SRC_NB_NS_PLAIN_IN_LINE_FLOW_OUT}`;
var SRC_NS_PLAIN_ONE_LINE_FLOW_IN = `${SRC_NS_PLAIN_FIRST_FLOW_IN}#*${SRC_NB_NS_PLAIN_IN_LINE_FLOW_IN}`;
var SRC_NS_PLAIN_ONE_LINE_BLOCK_KEY = SRC_NS_PLAIN_ONE_LINE_FLOW_OUT;
var SRC_NS_PLAIN_ONE_LINE_FLOW_KEY = SRC_NS_PLAIN_ONE_LINE_FLOW_IN;
var SRC_S_NS_PLAIN_NEXT_LINE_FLOW_OUT = `\\n+${SRC_NS_PLAIN_CHAR_FLOW_OUT}${SRC_NB_NS_PLAIN_IN_LINE_FLOW_OUT}`;
var SRC_S_NS_PLAIN_NEXT_LINE_FLOW_IN = `\\n+${SRC_NS_PLAIN_CHAR_FLOW_IN}${SRC_NB_NS_PLAIN_IN_LINE_FLOW_IN}`;
var SRC_NS_PLAIN_MULTI_LINE_FLOW_OUT = `${SRC_NS_PLAIN_ONE_LINE_FLOW_OUT}(?:${SRC_S_NS_PLAIN_NEXT_LINE_FLOW_OUT})*`;
var SRC_NS_PLAIN_MULTI_LINE_FLOW_IN = `${SRC_NS_PLAIN_ONE_LINE_FLOW_IN}(?:${SRC_S_NS_PLAIN_NEXT_LINE_FLOW_IN})*`;
new RegExp(`^(?:${SRC_NS_PLAIN_MULTI_LINE_FLOW_OUT})$`, "u");
new RegExp(`^(?:${SRC_NS_PLAIN_MULTI_LINE_FLOW_IN})$`, "u");
new RegExp(`^(?:${SRC_NS_PLAIN_ONE_LINE_BLOCK_KEY})$`, "u");
new RegExp(`^(?:${SRC_NS_PLAIN_ONE_LINE_FLOW_KEY})$`, "u");
new RegExp(`^(?:${SRC_NB_JSON})*$`, "u");
new RegExp(`^(?:${SRC_NB_JSON}|\\n)*$`, "u");
new RegExp(`^(?:${SRC_NB_CHAR}|\\n)*$`, "u");
Object.keys(DEFAULT_SCALAR_STYLE_RULES).map((name) => Reflect.get(DEFAULT_SCALAR_STYLE_RULES, name));
EVENT_ID.DOCUMENT;
EVENT_ID.SEQUENCE;
EVENT_ID.MAPPING;
EVENT_ID.SCALAR;
EVENT_ID.ALIAS;
EVENT_ID.POP;
SCALAR_STYLE.PLAIN;
SCALAR_STYLE.SINGLE_QUOTED;
SCALAR_STYLE.DOUBLE_QUOTED;
SCALAR_STYLE.LITERAL_BLOCK;
SCALAR_STYLE.FOLDED_BLOCK;
COLLECTION_STYLE.BLOCK;
COLLECTION_STYLE.FLOW;
CHOMPING_MODE.CLIP;
CHOMPING_MODE.STRIP;
CHOMPING_MODE.KEEP;
function locateEventValue(parsed, root, pointer) {
	const { key, value } = descend$1(parsed, root, pointer);
	return isLeftEmpty(parsed.events[value]) ? offsetBehindKey(parsed, key) : offsetAt(parsed, value);
}
function locateEventKey(parsed, root, pointer) {
	return offsetAt(parsed, descend$1(parsed, root, pointer).key);
}
function descend$1(parsed, root, pointer) {
	let place = {
		key: root,
		value: root
	};
	for (const token of pointer) {
		const child = childOf$1(parsed, place.value, token);
		if (!child) break;
		place = child;
	}
	return place;
}
function childOf$1(parsed, parent, token) {
	switch (parsed.events[parent]?.type) {
		case EVENT_ID.MAPPING: return memberOf$1(parsed, parent, token);
		case EVENT_ID.SEQUENCE: return /^\d+$/u.test(token) ? itemOf(parsed, parent, Number(token)) : void 0;
		default: return;
	}
}
function memberOf$1(parsed, map, name) {
	const { text, events } = parsed;
	let key = map + 1;
	for (let event = events[key]; event?.type === EVENT_ID.SCALAR; event = events[key]) {
		if (getScalarValue(text, event) === name) return {
			key,
			value: key + 1
		};
		key = endOfValue(parsed, key + 1);
	}
}
function itemOf(parsed, list, index) {
	let item = list + 1;
	for (let passed = 0; !isEnd(parsed, item); passed += 1) {
		if (passed === index) return {
			key: item,
			value: item
		};
		item = endOfValue(parsed, item);
	}
}
function isEnd({ events }, at) {
	return at >= events.length || events[at]?.type === EVENT_ID.POP;
}
function endOfValue({ events }, start) {
	let open = 0;
	let at = start;
	do {
		const type = events[at]?.type;
		if (type === EVENT_ID.POP) open -= 1;
		else if (type !== EVENT_ID.SCALAR) open += 1;
		at += 1;
	} while (open > 0 && at < events.length);
	return at;
}
function isLeftEmpty(event) {
	return event?.type === EVENT_ID.SCALAR && event.valueStart === -1;
}
function offsetBehindKey({ text, events }, key) {
	const event = events[key];
	if (event?.type !== EVENT_ID.SCALAR) return 0;
	let offset = text.indexOf(":", event.valueEnd) + 1;
	while (text[offset] === " ") offset += 1;
	return offset;
}
function offsetAt({ text, events }, at) {
	const event = events[at];
	switch (event?.type) {
		case EVENT_ID.SCALAR: return scalarOffset(text, event);
		case EVENT_ID.MAPPING:
		case EVENT_ID.SEQUENCE: return event.start;
		default: return 0;
	}
}
function scalarOffset(text, event) {
	switch (event.style) {
		case SCALAR_STYLE.PLAIN: return event.valueStart;
		case SCALAR_STYLE.SINGLE_QUOTED:
		case SCALAR_STYLE.DOUBLE_QUOTED: return event.valueStart - 1;
		case SCALAR_STYLE.LITERAL_BLOCK:
		case SCALAR_STYLE.FOLDED_BLOCK: return blockOffset(text, event) ?? event.valueStart;
	}
}
function blockOffset(text, { valueStart }) {
	const lineStart = text.lastIndexOf("\n", valueStart - 2) + 1;
	const line = text.slice(lineStart, valueStart);
	const header = line.includes("#") ? void 0 : /[|>][-+]?\s*$/u.exec(line);
	return header ? lineStart + header.index : void 0;
}
function parseSimple(text) {
	if (text.length > longestSimple || text.startsWith(" ") || text.endsWith(" ")) return void 0;
	if (notSimple.test(text)) return void 0;
	const events = eventsOf(text);
	return events && documentsOf({
		text,
		events,
		next: 0,
		end: 0
	});
}
const longestSimple = mostTokens / 2;
const notSimple = /[\t\ufeff\u0085\u2028\u2029]|\r(?!\n)|\\(?:U|\r?$)|^(?:%|\.\.\.|---.)|(?:^|[\s,[{-])\?(?:\s|$)/mu;
function eventsOf(text) {
	try {
		return parseEvents(text, { maxDepth: 50 });
	} catch {
		return;
	}
}
function documentsOf(walk) {
	const { text, events } = walk;
	const documents = [];
	while (walk.next < events.length) {
		const root = walk.next + 1;
		walk.next = root;
		const value = valueOf(walk);
		if (typeof value !== "object" || value === null) return void 0;
		walk.next += 1;
		documents.push({
			value,
			locateValue: (pointer) => locateEventValue({
				text,
				events
			}, root, pointer),
			locateKey: (pointer) => locateEventKey({
				text,
				events
			}, root, pointer)
		});
	}
	return documents.length > 0 ? documents : void 0;
}
function valueOf(walk) {
	const event = walk.events[walk.next];
	walk.next += 1;
	switch (event?.type) {
		case EVENT_ID.SCALAR: return isBare(event) ? scalarOf(walk, event) : void 0;
		case EVENT_ID.MAPPING:
		case EVENT_ID.SEQUENCE: return isBare(event) ? collectionOf(walk, event) : void 0;
		default: return;
	}
}
function isBare({ tagStart, anchorStart }) {
	return tagStart === -1 && anchorStart === -1;
}
function collectionOf(walk, event) {
	const { text } = walk;
	const isMapping = event.type === EVENT_ID.MAPPING;
	if (event.style === COLLECTION_STYLE.BLOCK) return isMapping ? mappingOf(walk, memberValue) : listOf$2(walk);
	if (isMapping && text[event.start] !== "{") return void 0;
	walk.end = event.start + 1;
	const value = isMapping ? mappingOf(walk, valueOf) : listOf$2(walk);
	walk.end = text.indexOf(isMapping ? "}" : "]", walk.end) + 1;
	return isSimplyClosed(walk) && isOfOnePiece(text.slice(event.start, walk.end)) ? value : void 0;
}
function isOfOnePiece(flow) {
	return !flow.includes("#") || !flow.includes("\n");
}
function isSimplyClosed({ text, end }) {
	let next = end;
	while (text[next] === " ") next += 1;
	const sign = text[next];
	return sign === void 0 || ":,]}\r\n".includes(sign) || sign === "#" && next > end;
}
function listOf$2(walk) {
	const items = [];
	while (walk.events[walk.next]?.type !== EVENT_ID.POP) {
		const item = valueOf(walk);
		if (item === void 0) return void 0;
		items.push(item);
	}
	walk.next += 1;
	return items;
}
function mappingOf(walk, readValue) {
	const members = {};
	while (walk.events[walk.next]?.type !== EVENT_ID.POP) {
		const name = keyOf(walk);
		if (name === void 0 || Object.hasOwn(members, name)) return void 0;
		const value = readValue(walk);
		if (value === void 0) return void 0;
		members[name] = value;
	}
	walk.next += 1;
	return members;
}
function keyOf(walk) {
	const { text, events, next } = walk;
	const event = events[next];
	if (event?.type !== EVENT_ID.SCALAR) return void 0;
	if (text.indexOf(":", event.valueEnd) > event.valueStart + longestKey) return void 0;
	const name = valueOf(walk);
	return typeof name !== "string" || name === "<<" || forbiddenKeys.has(name) ? void 0 : name;
}
const longestKey = 1e3;
function memberValue(walk) {
	const event = walk.events[walk.next];
	if (!isLeftEmpty(event) || !isBare(event)) return valueOf(walk);
	walk.next += 1;
	return null;
}
function scalarOf(walk, event) {
	const { text } = walk;
	const value = getScalarValue(text, event);
	switch (event.style) {
		case SCALAR_STYLE.PLAIN:
			walk.end = event.valueEnd;
			return isLeftEmpty(event) ? void 0 : plainValue(value);
		case SCALAR_STYLE.SINGLE_QUOTED:
		case SCALAR_STYLE.DOUBLE_QUOTED:
			walk.end = event.valueEnd + 1;
			return isSimplyClosed(walk) ? value : void 0;
		case SCALAR_STYLE.LITERAL_BLOCK:
		case SCALAR_STYLE.FOLDED_BLOCK: return blockOffset(text, event) === void 0 ? void 0 : value;
	}
}
const words = new Map([
	...[
		"~",
		"null",
		"Null",
		"NULL"
	].map((word) => [word, null]),
	...[
		"true",
		"True",
		"TRUE"
	].map((word) => [word, true]),
	...[
		"false",
		"False",
		"FALSE"
	].map((word) => [word, false])
]);
function plainValue(plain) {
	const word = words.get(plain);
	if (word !== void 0) return word;
	if (!maybeNumber.test(plain)) return plain;
	if (simpleNumber.test(plain)) return Number(plain);
	return oddNumber.test(plain) ? void 0 : plain;
}
const maybeNumber = /^[-+.\d]/u;
const simpleNumber = /^(?!-0(?:\.0*)?$)-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?$/u;
const oddNumber = /^(?:[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?|0o[0-7]+|0x[\da-f]+|[-+]?\.inf|\.nan)$/iu;
const options = {
	schema: new Schema$1({
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
	if (isTooLong && errors <= 100) return tooManyTokens(endOf$1(lexemes));
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
function endOf$1(lexemes) {
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
	let last;
	return ({ file, text, index }, pointer) => {
		if (last?.text !== text) last = {
			text,
			lines: linesOf(text),
			places: placesOf$1(text)
		};
		return {
			file,
			...last.lines.place(last.places[index]?.locateValue(pointer) ?? 0)
		};
	};
}
function placesOf$1(text) {
	return parseSimple(text) ?? parseYaml(text).documents.map((document) => placesIn(document, resolveAliases(document, text)));
}
function placesIn(document, targets) {
	return {
		locateValue: (pointer) => {
			const { key, value } = descend(document, pointer, targets);
			return offsetOf(value ?? key);
		},
		locateKey: (pointer) => offsetOf(descend(document, pointer, targets).key)
	};
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
function checkYaml(text, check) {
	const documents = parseSimple(text)?.map((document) => checkSimple(document, check));
	if (documents?.every(({ findings }) => findings.length <= 100)) return {
		documents,
		lines: linesOf(text),
		findings: []
	};
	const yaml = parseYaml(text);
	return {
		...yaml,
		documents: yaml.documents.map((document) => readDocument(document, text, yaml, check))
	};
}
function checkSimple(document, check) {
	const findings = check(document.value).slice(0, 101).map((problem) => placed(problem, document));
	return checked(document.value, findings, document);
}
function readDocument(document, text, yaml, check) {
	const offset = offsetOf(document.contents);
	const syntax = syntaxFindings(document, text);
	if (document.errors.length > 0 || isEmptyDocument(document)) return {
		isEmpty: document.errors.length === 0,
		offset,
		locate: () => offset,
		findings: syntax
	};
	const targets = resolveAliases(document, text);
	const places = placesIn(document, targets);
	const { value, findings: unfit } = toJson(document, targets, yaml.lines);
	const shape = check(value).map((problem) => placed(problem, places)).filter((finding) => unfit.every((known) => known.offset !== finding.offset));
	return checked(value, [
		...syntax,
		...unfit,
		...shape
	], places);
}
function checked(value, findings, { locateValue }) {
	const isSound = findings.every(({ severity }) => severity !== "error");
	return {
		isEmpty: false,
		offset: locateValue([]),
		locate: locateValue,
		findings,
		...isObject$1(value) && isSound && { fields: value }
	};
}
function isEmptyDocument({ contents }) {
	return contents === null || isScalar(contents) && contents.source === "";
}
function placed({ pointer, atKey, ...problem }, places) {
	const offset = atKey ? places.locateKey(pointer) : places.locateValue(pointer);
	return {
		severity: "error",
		...problem,
		offset
	};
}
const validate$1 = validate20$1;
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
	if (validate$1(document)) return [];
	return (validate$1.errors ?? []).values().flatMap(describe$1).take(101).toArray();
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
function parseContractFile({ file, text }, statuses) {
	const check = (value) => [...shapeProblems(value), ...ruleProblems(value, statuses)];
	const yaml = checkYaml(text, check);
	const findings = [
		...yaml.findings,
		...yaml.documents.flatMap((document) => document.findings),
		...emptiness(yaml)
	];
	return {
		contracts: yaml.documents.flatMap(({ fields, offset }, index) => fields ? [{
			fields,
			index,
			place: yaml.lines.place(offset)
		}] : []),
		diagnostics: toDiagnostics(file, yaml, findings)
	};
}
function emptiness({ documents, findings }) {
	if (findings.length > 0) return [];
	const empty = documents.filter(({ isEmpty }) => isEmpty);
	if (empty.length === documents.length) return [emptyFile];
	return empty.map(({ offset }) => emptyDocument(offset));
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
function desiredContract({ fields, index, place }, { file, text }, locate) {
	return {
		identity: identityOf(fields),
		managed: managedOf(fields),
		source: {
			file,
			...place
		},
		locate: (pointer) => locate({
			file,
			text,
			index
		}, pointer)
	};
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
function parseSource(source, { statuses, identitiesOnly }) {
	if ("problem" in source) return {
		contracts: [],
		diagnostics: [source.problem]
	};
	const { contracts, diagnostics } = parseContractFile(source, statuses);
	return {
		contracts: identitiesOnly ? contracts.map(withIdentityAlone) : contracts,
		diagnostics
	};
}
function withIdentityAlone(contract) {
	const fields = identityFields.flatMap((field) => {
		const value = contract.fields[field];
		return value === void 0 ? [] : [[field, value]];
	});
	return {
		...contract,
		fields: Object.fromEntries(fields)
	};
}
const contractMarks = [
	"id",
	"fullyQualifiedName",
	"entity"
];
function isForeign(path, text, marks) {
	if (/\.(?:ya?ml|json)$/iu.test(realPath(path)) || text.trim() === "") return false;
	const { documents } = parseYaml(text);
	return !documents.some((document) => marks.some((key) => document.has(key)));
}
function realPath(path) {
	try {
		return realpathSync.native(path);
	} catch {
		return path;
	}
}
function readSources(files, root) {
	return files.map((file) => ({
		file,
		...readText$2(file, root)
	}));
}
function readText$2(file, root, marks = contractMarks) {
	const path = resolve(root, file);
	try {
		if (statSync(path).size > 1048576) return { problem: unreadable(file, "file-too-large") };
		const read = decodeText(file, readFileSync(path));
		return isForeign(path, "text" in read ? read.text : "", marks) ? { problem: unreadable(file, "foreign-file") } : read;
	} catch (error) {
		return { problem: unreadable(file, whyUnreadable(error)) };
	}
}
function decodeText(file, bytes) {
	const start = bytes.subarray(0, 2).join();
	if (start === "254,255" || start === "255,254") return { problem: utf16(file) };
	const text = decode(bytes);
	if (text === void 0) return { problem: invalidUtf8(file, validPrefix(bytes)) };
	const control = controlCharacter.exec(text);
	if (control) return { problem: forbiddenCharacter(file, text.slice(0, control.index), control[0]) };
	return { text };
}
function decode(bytes, stream = false) {
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
		if (decode(bytes.subarray(0, middle), true) === void 0) invalid = middle;
		else valid = middle;
	}
	return decode(bytes.subarray(0, valid), true) ?? "";
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
			...endOf(before)
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
			...endOf(before)
		}
	};
}
function endOf(text) {
	const lines = text.split("\n");
	return {
		line: lines.length,
		column: (lines.at(-1) ?? "").length + 1
	};
}
const openHere = (files, root) => {
	const sources = readSources(files, root);
	return {
		sources,
		parse: async (rules) => {
			const readings = [];
			for (const source of sources) {
				readings.push(parseSource(source, rules));
				if (readings.length % inOneGo === 0) await setImmediate();
			}
			return readings;
		}
	};
};
const inOneGo = 16;
async function readContracts(selection, options = {}) {
	return findContracts(selection, openHere).read(options);
}
function findContracts(selection, openFiles) {
	const found = findFiles(selection);
	const { sources, parse } = openFiles(found.files, selection.root);
	return {
		sources,
		read: async (rules) => {
			const readings = await parse(rules);
			const locate = createLocator();
			const declared = readings.flatMap(({ contracts }, index) => {
				const source = sources[index];
				if (!source || "problem" in source) return [];
				return contracts.map((contract) => desiredContract(contract, source, locate));
			});
			return gather(found, readings, declared, selection);
		}
	};
}
async function checkContracts(selection, { statuses } = {}, openFiles = openHere) {
	const { contracts, ...result } = await findContracts(selection, openFiles).read({
		statuses,
		identitiesOnly: true
	});
	return {
		...result,
		contractCount: contracts.length
	};
}
function gather(found, readings, declared, { allowEmpty }) {
	const { contracts, diagnostics: claimedTwice } = refuseDuplicates(declared);
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
function parseNamePattern(text) {
	return canonicalSegments(text);
}
function matchesName(patterns, names) {
	if (patterns.length === 0) return false;
	return names.some((name) => {
		const segments = canonicalSegments(name);
		return patterns.some((pattern) => matchesSegments(pattern, segments));
	});
}
function matchesSegments(pattern, segments) {
	return matchesSequence(pattern, segments, anySegments);
}
const anyCharacters = {
	symbol: "*",
	matchesItem: (pattern, item) => pattern === item
};
const anySegments = {
	symbol: "**",
	matchesItem: (pattern, item) => pattern.includes("*") ? matchesSequence(pattern, item, anyCharacters) : pattern === item
};
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
const mostLeaves = 32;
const longestText = 1e4;
function guardOf(edits, live, arrays) {
	const tests = new Map();
	for (const edit of edits) for (const [place, value] of premisesOf(edit, live, arrays)) if (!isLongText(value)) tests.set(formatPointer(place), value);
	return [...tests].map(([path, value]) => ({
		op: "test",
		path,
		value
	}));
}
function premisesOf(edit, live, arrays) {
	const { op } = edit.operation;
	const place = edit.live ?? parsePointer(edit.operation.path)?.slice(0, -1) ?? [];
	const elements = elementsOnTheWay(place, live, arrays);
	return op === "replace" || op === "remove" ? [...elements, ...leavesOf(valueAt(live, place), place)] : elements;
}
function elementsOnTheWay(pointer, live, arrays) {
	return pointer.flatMap((_, depth) => {
		const parent = pointer.slice(0, depth);
		if (!isArray(valueAt(live, parent))) return [];
		const place = pointer.slice(0, depth + 1);
		const element = valueAt(live, place);
		const key = element === void 0 ? void 0 : keyMembers(element, parent.at(-1) ?? "", arrays);
		return key ? key.map(([member, value]) => [[...place, member], value]) : leavesOf(element, place);
	});
}
function leavesOf(value, place) {
	return value === void 0 ? [] : scalarsIn(value, place).take(mostLeaves).toArray();
}
function* scalarsIn(value, place) {
	if (!isArray(value) && !isObject$1(value)) return yield [place, value];
	for (const [token, child] of Object.entries(value)) yield* scalarsIn(child, [...place, token]);
}
function isLongText(value) {
	return typeof value === "string" && value.length > longestText;
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
const inUse = new Set(["Draft", "Active"]);
const outOfUse = new Set([
	"deprecated",
	"retired",
	"archived"
]);
function endsUse(status, lifecycle) {
	if (outOfUse.has(status.toLowerCase())) return true;
	return !inUse.has(status) && isFinal(status, lifecycle);
}
function isFinal(status, lifecycle) {
	const rank = (name) => lifecycle.statuses.indexOf(name);
	return nextStatuses(status, lifecycle).every((next) => rank(next) <= rank(status));
}
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
function judgeScope(names, source, scope) {
	if (scope.length === 0 || matchesName(scope, names)) return [];
	return [{
		code: "outside-scope",
		severity: "error",
		...names.length > 0 ? outsideScope : namelessOutsideScope,
		source
	}];
}
const outsideScope = {
	message: "This contract is outside of the `scope` that the configuration gives this repository.",
	hint: "Remove the file, or widen `scope` if the contract belongs to this repository."
};
const toBeNamed = "Give the contract, or the asset that it is attached to, a qualified name in the catalog.";
const namelessOutsideScope = {
	message: "The catalog gives this contract no qualified name, so it counts as outside of `scope`.",
	hint: toBeNamed
};
function judgeProtection(names, source, protectedNames) {
	const isNamed = names.length > 0;
	if (protectedNames.length === 0 || isNamed && !matchesName(protectedNames, names)) return [];
	return [{
		code: "contract-protected",
		severity: "error",
		...isNamed ? protectedByName : protectedWithoutName,
		source
	}];
}
const protectedByName = {
	message: "This contract is protected: the configuration allows no change of it.",
	hint: "Take the change back, or have the name taken from `protected` in the configuration."
};
const protectedWithoutName = {
	message: "The catalog gives this contract no qualified name, so it counts as protected.",
	hint: toBeNamed
};
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
function planContract(live, desired, rules) {
	const deep = Object.keys(desired.managed).find((field) => isTooDeep(live.document[field]));
	if (deep !== void 0) return planTooDeep(live, desired, deep);
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
		guard: guardOf(edits, documents.live, rules.arrays),
		changes: edits.map((edit) => describeEdit(edit, documents, desired, rules.arrays)),
		target: touchedFields(edits, target),
		problems
	};
}
function planTooDeep(live, desired, field) {
	return {
		action: "blocked",
		...pairOf(live, desired),
		predictedVersions: [],
		patch: [],
		guard: [],
		changes: [],
		target: {},
		problems: [{
			code: "nested-too-deep",
			severity: "error",
			message: `The catalog's \`${field}\` is nested deeper than 500 levels, so it can't be compared.`,
			hint: "Mend the contract in the catalog, or leave the field out of the file.",
			source: desired.locate([field])
		}]
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
function differingMembers({ live, target }) {
	const isShared = (member) => Object.hasOwn(live, member) && Object.hasOwn(target, member) && live[member] === target[member];
	const without = (document) => Object.fromEntries(Object.entries(document).filter(([member]) => !isShared(member)));
	return {
		live: without(live),
		target: without(target)
	};
}
function proveEdits(edits, documents, { id, fullyQualifiedName }, arrays) {
	const { live, target } = differingMembers(documents);
	try {
		prove(live, target, edits.map(({ operation }) => operation), arrays);
	} catch (error) {
		throw new SyncError("patch-not-proved", `The patch computed for ${fullyQualifiedName ?? id} does not lead to its file's content, so nothing was planned.`, {
			hint: "This is a bug in contract-sync: please report it with the contract.",
			cause: error
		});
	}
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
	if (unmanaged.rule !== "deprecate" || !inScope) return left;
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
function threadProgram(name) {
	return [
		`./${name}.ts`,
		`./${name}.js`,
		`../${name}.js`
	].map((path) => fileURLToPath(new URL(path, import.meta.url))).find((path) => existsSync(path));
}
function startThread(program, options) {
	try {
		return new Worker(program, options);
	} catch {
		return;
	}
}
function openFilesAhead(files, root, contracts, helpers = usefulHelpers(files.length)) {
	const threads = helpers ? startThreads(helpers) : [];
	const sources = readSources(files, root);
	return {
		sources,
		parse: async (rules) => {
			const next = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
			const shared = {
				sources,
				rules,
				next
			};
			const readings = new Map();
			const helping = threads.length > 0 ? shareWith(threads, shared, readings) : void 0;
			const whenFree = helping && contracts && leaveTimeToFetch(contracts, helping);
			const parseHere = async (batches) => {
				for (const batch of batches) {
					const batchSources = sourcesOf(batch, shared);
					readings.set(batch, batchSources.map((source) => parseSource(source, rules)));
					await setImmediate();
					await whenFree?.();
				}
			};
			await whenFree?.();
			await parseHere(claimBatches(shared));
			await helping;
			const batches = [...Array(batchCount(sources)).keys()];
			await parseHere(batches.filter((batch) => !readings.has(batch)));
			return batches.flatMap((batch) => readings.get(batch) ?? []);
		}
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
	if (fileCount < filesWorthAThread) return void 0;
	const program = threadProgram("files-worker");
	const count = Math.min(availableParallelism() - 1, mostHelpers);
	return count > 0 && program !== void 0 ? {
		count,
		program
	} : void 0;
}
function startThreads({ count, program }) {
	return Array.from({ length: count }, () => startThread(program, {})).filter((worker) => worker !== void 0);
}
async function shareWith(threads, shared, readings) {
	const ends = threads.map((worker) => {
		worker.on("message", ([batch, json]) => {
			const batchReadings = JSON.parse(json);
			readings.set(batch, batchReadings);
		});
		const { promise, resolve } = Promise.withResolvers();
		worker.on("error", () => resolve());
		worker.on("exit", () => resolve());
		worker.postMessage(shared, []);
		return promise;
	});
	await Promise.all(ends);
}
const batchSize$1 = 16;
function batchCount(sources) {
	return Math.ceil(sources.length / batchSize$1);
}
function* claimBatches({ sources, next }) {
	for (;;) {
		const batch = Atomics.add(next, 0, 1);
		if (batch >= batchCount(sources)) return;
		yield batch;
	}
}
function sourcesOf(batch, { sources }) {
	return sources.slice(batch * batchSize$1, (batch + 1) * batchSize$1);
}
function guess(sources, keys) {
	const unseen = new Set(keys);
	const identities = new Set();
	for (const source of sources) {
		const text = "text" in source ? source.text : "";
		for (const key of unseen) if (looksLikeKey(text, key)) unseen.delete(key);
		for (const { groups } of text.matchAll(identityKey).take(mostIdentities)) addValues(groups?.["value"] ?? "", identities);
	}
	return {
		keys: keys.filter((key) => !unseen.has(key)),
		identities
	};
}
const mostIdentities = 1e4;
function looksLikeKey(text, key) {
	const pattern = `(?:^|[{,])[ \\t]*["']?${key}["']?[ \\t]*:`;
	return text.includes(key) && new RegExp(pattern, "mu").test(text);
}
const identityKey = /(?:^|[{,])[ \t]*["']?(?:id|fullyQualifiedName)["']?[ \t]*:[ \t]*(?=(?<value>.{1,1000}))/gmu;
function addValues(rest, values) {
	const line = rest.replace(/[ \t]#.*/u, "");
	for (const value of [line, line.replace(/[,}].*/u, "")]) values.add(Buffer.from(composed(unquote(value.trim()))).toString());
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
const small = 100;
const large$1 = 1e3;
function startPageSize(setting) {
	return setting === "auto" ? {
		limit: small,
		settled: false
	} : settled(setting);
}
function constantPageSize(setting) {
	return setting === "auto" ? large$1 : setting;
}
function nextPageSize(size, received, left) {
	if (size.settled) return size;
	if (size.limit === small) return left > small ? {
		limit: large$1,
		settled: false
	} : settled(small);
	return settled(received < small && left > 0 ? small : size.limit);
}
function smallerPageSize({ limit }) {
	if (limit > large$1) return settled(large$1);
	return limit > small ? settled(small) : void 0;
}
function tenthOf({ limit }) {
	return limit > 1 ? settled(Math.ceil(limit / 10)) : void 0;
}
function settled(limit) {
	return {
		limit,
		settled: true
	};
}
function repeatedMember(page) {
	if (!mayRepeat(page)) return void 0;
	const names = memberNames(page);
	return ["data", "paging"].find((name) => names.indexOf(name) !== names.lastIndexOf(name));
}
const suspects = /"(?<name>data|paging)"\s*:|\\u00[67]/gu;
function mayRepeat(page) {
	const seen = new Set();
	for (const { groups } of page.matchAll(suspects)) {
		const name = groups?.["name"];
		if (name === void 0 || seen.has(name)) return true;
		seen.add(name);
	}
	return false;
}
function memberNames(json) {
	const names = [];
	let depth = 0;
	for (let at = 0; at < json.length; at += 1) {
		const character = json[at];
		if (character === "\"") {
			const end = stringEnd(json, at);
			if (depth === 1 && isName$1(json, end)) names.push(JSON.parse(json.slice(at, end)));
			at = end - 1;
		} else if (character === "{" || character === "[") depth += 1;
		else if (character === "}" || character === "]") depth -= 1;
	}
	return names;
}
function stringEnd(json, start) {
	let at = start + 1;
	while (json[at] !== "\"") at += json[at] === "\\" ? 2 : 1;
	return at + 1;
}
const colon$1 = /\s*:/uy;
function isName$1(json, end) {
	colon$1.lastIndex = end;
	return colon$1.test(json);
}
const slender = 8 * 2 ** 20;
const mostContainers = 25e5;
function refuseRich(content) {
	if (!isRich(content)) return { value: content };
	const message = `The answer holds more than ${mostContainers} objects and lists.`;
	return { fault: {
		code: "unexpected-answer",
		message,
		hint: "Ask for less at a time with --page-size.",
		transient: false,
		mayHaveLanded: true,
		cause: new LargeBodyError(message)
	} };
}
function isRich(content) {
	if (byteLength(content) <= slender) return false;
	let containers = 0;
	for (const chunk of content.chunks) for (const byte of chunk) if (byte === openBrace$1 || byte === openBracket$1) containers += 1;
	return containers > mostContainers;
}
const openBrace$1 = 123;
const openBracket$1 = 91;
function readJson(content) {
	return andThen(readText$1(content), (text) => parseBody(text, content));
}
function readText$1(content) {
	return andThen(refuseRich(content), (sparing) => ({ value: bodyText(sparing) }));
}
function parseBody(text, { type }) {
	try {
		return { value: JSON.parse(text) };
	} catch (error) {
		return { fault: type?.includes("html") ?? text.trimStart().startsWith("<") ? webPage : malformed(text, error) };
	}
}
function readPage(content) {
	return andThen(readText$1(content), (text) => andThen(andThen(parseBody(text, content), parsePage$1), (page) => {
		const name = repeatedMember(text);
		const flaw = `a page holds "${name}" twice`;
		return { value: name === void 0 ? page : {
			...page,
			flaw
		} };
	}));
}
function parsePage$1(body) {
	if (!isObject$1(body) || !isArray(body["data"])) return unexpected$1("a page has no list \"data\"");
	const { data, paging } = body;
	const contracts = data.map(parseLiveContract).filter((contract) => contract !== void 0);
	if (contracts.length < data.length) return unexpected$1("a listed contract has no id");
	if (!isObject$1(paging)) return { value: {
		contracts,
		oddEnd: "unpaged"
	} };
	const { total = null, after = null } = paging;
	if (after !== null && typeof after !== "string") return unexpected$1("a cursor is not text");
	return { value: {
		contracts,
		...parseTotal(total),
		...parseCursor(after ?? "", contracts.length === 0)
	} };
}
function parseTotal(total) {
	if (total === null) return {};
	if (typeof total === "number" && Number.isSafeInteger(total) && total >= 0) return { total };
	return { flaw: `its total is ${describeTotal(total)}, which is no count` };
}
function describeTotal(total) {
	if (typeof total === "string") return quote$1(total);
	return isArray(total) || isObject$1(total) ? "a list or an object" : String(total);
}
function parseCursor(after, isEmpty) {
	if (after === "") return {};
	return isEmpty ? { oddEnd: "empty" } : { after };
}
function readContract(content, id) {
	return andThen(readJson(content), (body) => {
		const contract = parseLiveContract(body);
		return contract?.id === id ? { value: contract } : unexpected$1(`it is not the contract ${id}`);
	});
}
function readHistory(content) {
	return andThen(readJson(content), parseHistory);
}
function parseHistory(body) {
	if (!isObject$1(body) || !isArray(body["versions"])) return unexpected$1("a history has no list \"versions\"");
	const versions = body["versions"].map(parseSnapshot).filter((snapshot) => snapshot !== void 0);
	if (versions.length < body["versions"].length) return unexpected$1("a version is not a contract serialised into a string");
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
	return andThen(readJson(content), (body) => isObject$1(body) ? { value: body } : unexpected$1("it is not a JSON object"));
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
function unexpected$1(complaint) {
	return { fault: {
		code: "unexpected-answer",
		message: `The answer is not what the interface promises: ${complaint}.`,
		hint: "Check the catalog URL, which usually ends in /api, and the release of the catalog.",
		transient: false,
		mayHaveLanded: true
	} };
}
function incompleteRead(list, complaint) {
	return listFault(list, "incomplete-read", `cannot be read whole: ${complaint}`);
}
function endlessList(list, total, read) {
	return listFault(list, "list-does-not-end", `does not end: it says that there are ${total}, and has given ${read}`);
}
function listFault({ request, pageSize }, code, what) {
	const fault = {
		code,
		message: `The catalog's list of contracts ${what}.`,
		hint: "Nothing was changed. Run again when the catalog is quiet; if it stays so, its paging is broken: try another --page-size and tell its operators.",
		transient: false,
		mayHaveLanded: false
	};
	return new ApiError(request({ limit: startPageSize(pageSize).limit }), fault, 1);
}
async function* walkList(source, leavesOff) {
	const pages = source.openPages({
		...source,
		mayBeLeft: leavesOff !== void 0
	});
	const cursors = new Set();
	let at = {
		after: void 0,
		size: startPageSize(source.pageSize)
	};
	let read = 0;
	let total;
	try {
		for (;;) {
			const { page, size } = await pages.fetch(at);
			read += page.contracts.length;
			total = largest(total, page.total);
			refuseRepeatedCursor(source, cursors, page.after);
			refuseEndlessList(source, read, total);
			const left = leftOf(page, read);
			const next = nextPageSize(size, page.contracts.length, left);
			const isOver = page.after === void 0 || leavesOff?.(Math.ceil(left / next.limit));
			yield withFlaw(page, size);
			if (isOver) return;
			at = {
				after: page.after,
				size: next
			};
		}
	} finally {
		pages.close();
	}
}
function leftOf({ after, total = Infinity }, read) {
	return after === void 0 ? 0 : Math.max(0, total - read);
}
function refuseRepeatedCursor(source, cursors, after) {
	if (after === void 0) return;
	if (cursors.has(after)) throw incompleteRead(source, "it gives the same cursor twice");
	cursors.add(after);
}
function largest(a, b) {
	return a === void 0 || b === void 0 ? a ?? b : Math.max(a, b);
}
const mostUnforeseen = 1e3;
function refuseEndlessList(source, read, total = Infinity) {
	if (read > Math.max(2 * total, mostUnforeseen)) throw endlessList(source, total, read);
}
function withFlaw(page, { limit }) {
	if (page.oddEnd !== "unpaged" || page.contracts.length < limit) return page;
	return {
		...page,
		flaw: "a full page says nothing of paging"
	};
}
const pageByPage = (source) => ({
	fetch: async (at) => {
		const { value: page, size } = await fetchSized(source, at, readPage);
		return {
			page,
			size
		};
	},
	close: () => void 0
});
async function fetchSized(source, { after, size }, read) {
	const request = source.request({
		limit: size.limit,
		...after !== void 0 && { after }
	});
	try {
		return {
			value: await source.send(request, read),
			size,
			request
		};
	} catch (error) {
		const smaller = sizeAfter(error, size);
		if (smaller === void 0) throw error;
		return fetchSized(source, {
			after,
			size: smaller
		}, read);
	}
}
function sizeAfter(error, size) {
	if (!(error instanceof ApiError)) return void 0;
	if (error.cause instanceof LargeBodyError) return tenthOf(size);
	return error.status === 400 ? smallerPageSize(size) : void 0;
}
var NotJson = class extends Error {};
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
	if (text[at] !== expected) throw new NotJson();
	return at + 1;
}
function skipColon(text, start) {
	return skipBlanks(text, after(text, skipBlanks(text, start), colon));
}
function skipPlainName(text, start) {
	const end = skipString(text, start);
	for (let at = start; at < end; at += 1) if (text[at] === backslash) throw new NotJson();
	return end;
}
function skipValue(text, start) {
	let depth = 0;
	let at = start;
	for (;;) {
		const close = closeOf(text[at]);
		if (close === 0) at = skipScalar(text, at);
		else {
			if (depth === deepest$1) throw new NotJson();
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
const deepest$1 = 100;
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
	throw new NotJson();
}
function skipEscape(text, start) {
	return simpleEscapes[text[start] ?? 0] === 1 ? start + 1 : skipCodeUnit(text, start);
}
function skipCodeUnit(text, start) {
	const digits = after(text, start, letterU);
	for (let at = digits; at < digits + 4; at += 1) if (hexDigits[text[at] ?? 0] !== 1) throw new NotJson();
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
	const name = names.find(([first]) => first === text[start]);
	if (!name) return skipNumber(text, start);
	return name.reduce((at, byte) => after(text, at, byte), start);
}
const names = [
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
	if (at === start) throw new NotJson();
	return at;
}
function createExcerptReader(members) {
	const names = members.map(nameInJson);
	const excerpt = createExcerpt();
	return (page) => {
		excerpt.begin(page);
		try {
			return takeExcerpt({
				page,
				names,
				excerpt
			});
		} catch (error) {
			if (error instanceof NotJson) return void 0;
			throw error;
		}
	};
}
function nameInJson(name) {
	return Buffer.from(JSON.stringify(name));
}
function takeExcerpt(task) {
	const { page, excerpt } = task;
	const start = skipBlanks(page, 0);
	const contracts = [];
	let copied = start;
	let isPaged = false;
	const end = stepMembers(page, start, (name, nameEnd, value) => {
		const isPaging = isName(page, name, nameEnd, paging);
		const isData = isName(page, name, nameEnd, data);
		if (isPaging && isPaged || isData && copied > start) throw new NotJson();
		isPaged ||= isPaging;
		if (!isData) return skipValue(page, value);
		excerpt.copy(start, value);
		copied = excerptContracts(task, value, contracts);
		return copied;
	});
	excerpt.copy(copied, end);
	if (skipBlanks(page, end) < page.length) throw new NotJson();
	return {
		json: excerpt.text(),
		contract: (index) => page.toString("utf8", ...contracts[index] ?? [])
	};
}
const data = nameInJson("data");
const paging = nameInJson("paging");
function excerptContracts(task, list, contracts) {
	const { page, excerpt } = task;
	excerpt.put(91);
	const end = stepElements(page, list, (start) => {
		if (contracts.length > 0) excerpt.put(44);
		const contractEnd = excerptContract(task, start);
		contracts.push([start, contractEnd]);
		return contractEnd;
	});
	excerpt.put(93);
	return end;
}
function excerptContract({ page, names, excerpt }, start) {
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
function isWanted({ identities, names }, contract) {
	const { id, fullyQualifiedName, entity } = contract;
	return isAmong(identities, id) || isAmong(identities, fullyQualifiedName) || isAmong(identities, entity?.id) || isAmong(identities, entity?.fullyQualifiedName) || isAmong(identities, parentName(contract)) || names.length > 0 && matchesName(names, allNames(contract));
}
function isAmong(identities, identity) {
	return identity !== void 0 && identities.has(composed(identity));
}
function parentName({ name, fullyQualifiedName }) {
	if (name === void 0 || !fullyQualifiedName?.endsWith(name)) return void 0;
	const dot = fullyQualifiedName.lastIndexOf(".", fullyQualifiedName.length - name.length);
	return dot < 0 ? void 0 : fullyQualifiedName.slice(0, dot);
}
function allNames(contract) {
	const parent = parentName(contract);
	return [...qualifiedNames(contract), ...parent === void 0 ? [] : [parent]];
}
function createHeadReader(wanted) {
	const gather = createGatherer();
	const takeExcerpt = createExcerptReader(headMembers);
	return (content) => {
		const excerpt = takeExcerpt(gather(content));
		const page = excerpt && readExcerpt(excerpt, wanted);
		if (page) return { value: page };
		const parsed = readPage(content);
		if ("fault" in parsed) return parsed;
		const contracts = parsed.value.contracts.map((contract) => isWanted(wanted, contract) ? contract : headOf(contract));
		return { value: {
			...parsed.value,
			contracts
		} };
	};
}
const headMembers = Object.keys({
	id: true,
	name: true,
	fullyQualifiedName: true,
	entity: true,
	entityStatus: true
});
function headOf(contract) {
	const { version: _version, updatedAt: _updatedAt, document: _document, ...head } = contract;
	return head;
}
function readExcerpt({ json, contract }, wanted) {
	try {
		const page = parsePage$1(JSON.parse(json));
		if ("fault" in page) return void 0;
		const contracts = page.value.contracts.map((excerpt, index) => isWanted(wanted, excerpt) ? parseLiveContract(JSON.parse(contract(index))) : headOf(excerpt));
		return contracts.every((each) => each !== void 0) ? {
			...page.value,
			contracts
		} : void 0;
	} catch (error) {
		if (error instanceof SyntaxError) return void 0;
		throw error;
	}
}
function completePage(page) {
	const contracts = page.contracts.map((contract) => contract.document ? contract : Object.assign(contract, { document: unread }));
	return {
		...page,
		contracts
	};
}
const unread = new Proxy({}, {
	get: refuse,
	has: refuse,
	ownKeys: refuse
});
function isWhole({ document }) {
	return document !== unread;
}
function refuse() {
	throw new Error("A contract was looked into that was not asked for whole.");
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
const longList = 1e4;
function createPageParser(wanted, program = usefulProgram()) {
	let thread;
	let readHeads;
	const living = () => thread?.hasEnded() ? void 0 : thread;
	return {
		parse: (content) => living()?.parse(content) ?? parseHere(content, readHeads),
		expect: (contracts) => {
			if (readHeads || contracts < longList) return;
			readHeads = createHeadReader(wanted);
			if (program !== void 0) thread = startPageThread(program, wanted);
		},
		isBeside: () => living() !== void 0,
		close: () => thread?.close()
	};
}
function usefulProgram() {
	return availableParallelism() > 1 ? threadProgram("pages-worker") : void 0;
}
const turnsToSend = 2;
async function parseHere(content, readHeads) {
	for (let turn = 0; turn < turnsToSend; turn += 1) await setImmediate();
	if (!readHeads) return readPage(content);
	const page = readHeads(content);
	return "fault" in page ? page : { value: completePage(page.value) };
}
function startPageThread(program, wanted) {
	const worker = startThread(program, {
		workerData: wanted,
		resourceLimits
	});
	if (!worker) return void 0;
	const { ask, ...port } = openPort(worker);
	return {
		...port,
		parse: async ({ chunks, type }) => {
			const memory = new Set(chunks.filter(ownsItsMemory).map(({ buffer }) => buffer));
			const reply = await ask({
				chunks,
				type
			}, [...memory]);
			return "fault" in reply ? reply : { value: completePage(JSON.parse(reply.page)) };
		}
	};
}
const resourceLimits = { maxYoungGenerationSizeMb: 48 };
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
function pagesAhead(wanted, openParser = createPageParser) {
	return (source) => openPages(source, openParser(wanted));
}
function openPages(source, parser) {
	const walkList = {
		source,
		parser,
		isLeft: false,
		ahead: 2
	};
	let current;
	let read = 0;
	return {
		fetch: async (at) => {
			current = (current?.next?.after === at.after ? current?.next : void 0) ?? ask$1(walkList, at);
			const arrival = await current.arrival;
			if (!source.mayBeLeft || read > 0) askAhead(walkList, current, arrival, {
				read,
				distance: 1
			}).catch(() => void 0);
			const page = await arrival.page;
			read += page.contracts.length;
			const left = leftOf(page, read);
			parser.expect(Number.isFinite(left) ? left : read);
			await setImmediate();
			return {
				page,
				size: arrival.size
			};
		},
		close: () => {
			walkList.isLeft = true;
			parser.close();
		}
	};
}
function ask$1(walkList, at) {
	const arrival = fetchAndParse(walkList, at);
	arrival.catch(() => void 0);
	return {
		after: at.after,
		arrival
	};
}
async function fetchAndParse(walkList, at) {
	const { source } = walkList;
	const { value, size, request } = await fetchSized(source, at, (answer) => refuseRich(answer));
	const cursor = size.settled && byteLength(value) <= large ? cursorAtEnd(value.chunks) : void 0;
	const page = source.send(request, (answer) => parsePage(walkList, answer), value);
	page.catch(() => void 0);
	return {
		page,
		cursor,
		size
	};
}
const large = largestBody / 4;
async function parsePage(walkList, answer) {
	const page = await walkList.parser.parse(answer);
	if (walkList.parser.isBeside() && "value" in page) walkList.ahead = pagesWorthAsking(page.value);
	return page;
}
async function askAhead(walkList, asked, { page, cursor, size }, { read, distance }) {
	if (walkList.isLeft || distance > mostAhead(walkList)) return;
	if (cursor !== void 0) asked.next ??= ask$1(walkList, {
		after: cursor,
		size
	});
	const parsed = await page;
	if (parsed.after === void 0 || walkList.isLeft) return;
	const { length } = parsed.contracts;
	const nextSize = nextPageSize(size, length, leftOf(parsed, read + length));
	const next = asked.next ??= ask$1(walkList, {
		after: parsed.after,
		size: nextSize
	});
	const place = {
		read: read + length,
		distance: distance + 1
	};
	await askAhead(walkList, next, await next.arrival, place);
}
function mostAhead({ source, parser, ahead }) {
	return source.mayBeLeft || !parser.isBeside() ? 1 : ahead;
}
const mostWaiting = 1e5;
const weightOfWhole = 20;
function pagesWorthAsking({ contracts }) {
	const whole = contracts.filter(isWhole).length;
	const weight = contracts.length + weightOfWhole * whole;
	return Math.max(1, Math.floor(mostWaiting / weight));
}
const tailLength = 4096;
const pagingAtEnd = /"paging"\s*:\s*\{[^{}]*?"after"\s*:\s*(?<cursor>"(?:[^"\\]|\\.)*")[^{}]*\}\s*\}\s*$/u;
function cursorAtEnd(chunks) {
	const tail = bodyText({ chunks: lastBytes(chunks) });
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
function readAhead(run) {
	const { promise: toCome, resolve: tellToCome } = Promise.withResolvers();
	const files = findContracts(run.files, (names, root) => openFilesAhead(names, root, toCome));
	const listing = startListing(run, files);
	listing.toCome.then(tellToCome, () => tellToCome(0));
	let declared = [];
	return {
		...run,
		readContracts: async (_selection, options) => {
			try {
				const result = await files.read(options ?? {});
				if (hasErrors(result.diagnostics)) listing.abandon();
				declared = result.contracts;
				return result;
			} catch (error) {
				listing.abandon();
				throw error;
			}
		},
		reader: {
			...run.reader,
			list: (query = {}) => listing.pages(query, wantedOf(declared, run))
		}
	};
}
function wantedOf(declared, { rules }) {
	const values = declared.map(({ identity }) => lookupValue(identity));
	return {
		identities: new Set(values.filter((value) => value !== void 0)),
		names: namesToRetire(rules)
	};
}
function startListing(run, files) {
	const listAfresh = (query, wanted) => run.openReader(pagesAhead(wanted)).list(query);
	if (run.rules.unmanaged.rule === "ignore") return {
		toCome: Promise.resolve(0),
		pages: listAfresh,
		abandon: () => void 0
	};
	const { keys: fields, identities } = guess(files.sources, optionalFields);
	const guessed = {
		identities,
		names: namesToRetire(run.rules)
	};
	const abandoned = new AbortController();
	const iterator = run.openReader(pagesAhead(guessed)).list({ fields }, abandoned.signal)[Symbol.asyncIterator]();
	const first = iterator.next();
	first.catch(() => void 0);
	let isTaken = false;
	const abandon = () => {
		abandoned.abort();
		iterator.return?.().catch(() => void 0);
	};
	return {
		toCome: first.then(({ done, value }) => done ? 0 : toCome(value), () => 0),
		pages: (query, wanted) => {
			if (isTaken) return listAfresh(query, wanted);
			isTaken = true;
			if (isSameQuery(query, fields) && isAmongGuessed(wanted, guessed)) return resume(first, iterator);
			abandon();
			return listAfresh(query, wanted);
		},
		abandon
	};
}
function toCome({ contracts, total = 0 }) {
	return Math.max(0, total - contracts.length);
}
async function* resume(first, rest) {
	try {
		for (let page = await first; !page.done; page = await rest.next()) yield page.value;
	} finally {
		await rest.return?.();
	}
}
function isSameQuery({ fields = [], ...others }, guessed) {
	return Object.keys(others).length === 0 && fields.length === guessed.length && fields.every((field) => guessed.includes(field));
}
function isAmongGuessed({ identities, names }, guessed) {
	return [...identities].every((identity) => guessed.identities.has(identity)) && names.every((name) => guessed.names.includes(name));
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
	const kind = kindOf(approved, proposed, isLanded);
	const contract = proposed ?? approved;
	if (!contract || !kind) return void 0;
	const { id, fullyQualifiedName } = contract;
	return {
		id,
		...fullyQualifiedName !== void 0 && { fullyQualifiedName },
		kind,
		...versions$2(approved?.liveVersion, proposed?.liveVersion),
		operations: compareOperations(approved?.patch ?? [], proposed?.patch ?? [])
	};
}
function versions$2(approvedVersion, proposedVersion) {
	return {
		...approvedVersion !== void 0 && { approvedVersion },
		...proposedVersion !== void 0 && { proposedVersion }
	};
}
function kindOf(approved, proposed, isLanded) {
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
function queryFor(desired, all) {
	const entities = all ? void 0 : entitiesToRequest(desired);
	return {
		fields: fieldsToRequest(desired),
		...entities && { entities }
	};
}
function queryAgain(missing) {
	const entities = missing.map(({ identity }) => attachedTo(identity));
	return {
		fields: fieldsToRequest(missing),
		...entities.every((entity) => entity !== void 0) && { entities: [...new Set(entities)] }
	};
}
function fieldsToRequest(desired) {
	return optionalFields.filter((field) => desired.some(({ managed }) => Object.hasOwn(managed, field)));
}
function entitiesToRequest(desired) {
	const entities = desired.map(({ identity }) => lookupEntity(identity));
	return entities.every((entity) => entity !== void 0) ? [...new Set(entities)] : void 0;
}
async function* lookAgain(reader, missing, pages) {
	if (missing.length === 0) return;
	const attached = missing.filter(({ identity }) => attachedTo(identity) !== void 0);
	const loose = missing.filter((contract) => !attached.includes(contract));
	if (loose.length === 0 || !reader.find || missing.length > pages) {
		yield* reader.list(queryAgain(missing));
		return;
	}
	yield { contracts: await findEach(reader.find, loose) };
	if (attached.length > 0) yield* reader.list(queryAgain(attached));
}
async function findEach(find, contracts) {
	const found = [];
	for (const contract of contracts) {
		const live = await find(contract.identity, fieldsToRequest([contract]));
		if (live) found.push(live);
	}
	return found;
}
const mostNames$1 = 2e4;
const mostLooks = 100;
function createNearNames() {
	const labels = new Map();
	let looks = 0;
	return {
		note: (live) => {
			if (labels.size >= mostNames$1) return;
			for (const name of spellings(live)) labels.set(name, contractLabel(live));
		},
		nearest: (wanted) => {
			looks += 1;
			return looks > mostLooks ? void 0 : nearestOf(spellings(wanted), labels);
		}
	};
}
function spellings({ fullyQualifiedName, name, entity }) {
	const asset = entity?.fullyQualifiedName ?? entity?.id;
	return [fullyQualifiedName, name === void 0 || asset === void 0 ? void 0 : `${asset}.${name}`].filter((spelling) => spelling !== void 0);
}
const mostSlips = 2;
function nearestOf(spelled, labels) {
	for (let slips = 0; slips <= mostSlips; slips += 1) {
		const [first] = [...labels.keys()].filter((name) => spelled.some((wanted) => isWithin(wanted, name, slips))).toSorted(compareCodeUnits);
		if (first !== void 0) return labels.get(first);
	}
}
function isWithin(a, b, slips) {
	if (Math.abs(a.length - b.length) > slips) return false;
	let at = 0;
	while (at < a.length && a[at] === b[at]) at += 1;
	if (at === a.length && at === b.length) return true;
	if (slips === 0) return false;
	const [restA, restB] = [a.slice(at), b.slice(at)];
	const isSwapped = restA[0] === restB[1] && restA[1] === restB[0];
	return isWithin(restA.slice(1), restB.slice(1), slips - 1) || isWithin(restA.slice(1), restB, slips - 1) || isWithin(restA, restB.slice(1), slips - 1) || isSwapped && isWithin(restA.slice(2), restB.slice(2), slips - 1);
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
function enforceLimits(plan, { limits, lifecycle }, overrides = []) {
	const estate = estateOf(plan);
	const exceeded = limitNames.map((limit) => ({
		limit,
		touched: touchedBy(plan, limit, lifecycle),
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
function touchedBy(plan, limit, lifecycle) {
	const changed = updates(plan);
	switch (limit) {
		case "updates": return changed.length;
		case "deprecations": return changed.filter(({ transition }) => isDeprecation(transition, lifecycle)).length;
	}
}
function isDeprecation(transition, lifecycle) {
	const to = transition?.to ?? void 0;
	return to !== void 0 && endsUse(to, lifecycle);
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
	const matchedIds = new Set();
	const claims = [];
	function match(live) {
		const [contract, ...rivals] = candidates(index, live);
		if (!contract) return void 0;
		matchedIds.add(live.id);
		for (const rival of rivals) claims.push(claimedTwice(live, contract, rival));
		for (const claimant of [contract, ...rivals]) matched.set(claimant, [...matched.get(claimant) ?? [], live.id]);
		return contract;
	}
	function ambiguities() {
		return [...matched].flatMap(([contract, ids]) => ids.length > 1 ? [ambiguous(contract, ids)] : []);
	}
	return {
		match,
		isMatched: (id) => matchedIds.has(id),
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
function planMissing({ identity, source }, { scope, missing }, nearest) {
	const { id, entity } = identity;
	const names = qualifiedNames(identity);
	return {
		action: "missing",
		...id !== void 0 && { id },
		...namesOf(identity),
		...entity && { entity },
		source,
		problems: [...names.length > 0 ? judgeScope(names, source, scope) : [], missingProblem(source, missing, nearest)]
	};
}
function missingProblem(source, rule, nearest) {
	const correct = nearest === void 0 ? "Create it in the catalog first, or correct its identity: contracts are updated, never created." : `Did you mean ${quote$1(nearest)}? If not, create it in the catalog first: contracts are updated, never created.`;
	return {
		code: "contract-missing",
		severity: rule === "error" ? "error" : "warning",
		message: "The catalog has no such contract.",
		hint: rule === "error" ? `${correct} If your files come first, set \`missing: report\` in the configuration.` : correct,
		source
	};
}
function createSelector({ only, exclude, changed } = everything) {
	const wanted = only.map(parseSubjectPattern);
	const unwanted = exclude.map(parseSubjectPattern);
	const unused = new Set(wanted);
	const leftOut = [];
	const takesAll = only.length + exclude.length === 0 && !changed;
	function takes(subject) {
		const matching = wanted.filter((pattern) => matchesSubject(pattern, subject));
		for (const pattern of matching) unused.delete(pattern);
		return (wanted.length === 0 || matching.length > 0) && !unwanted.some((pattern) => matchesSubject(pattern, subject)) && (!changed || subject.file !== void 0 && changed.has(subject.file));
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
	if (!text.includes("/") && !/\.ya?ml$/u.test(text)) return {
		kind: "name",
		text,
		pattern: parseNamePattern(text)
	};
	const path = text.replace(/^\.\//u, "").split("/");
	return {
		kind: "path",
		text,
		pattern: path.length === 1 ? ["**", ...path] : path
	};
}
function matchesSubject({ kind, pattern }, { names, file }) {
	if (kind === "name") return matchesName([pattern], names);
	return file !== void 0 && matchesSegments(pattern, file.split("/"));
}
function exclusions({ exclude } = everything) {
	return exclude.map((text) => ({
		setting: "--exclude",
		...parseSubjectPattern(text)
	}));
}
function selectsNothing({ text }) {
	return {
		code: "nothing-selected",
		severity: "error",
		message: `--only ${JSON.stringify(text)} matches no contract.`,
		hint: "A pattern stands for a qualified name (warehouse.sales.**) or a file (contracts/sales/**)."
	};
}
function nearestPattern(pattern, names) {
	const fitted = pattern[0] === "**" ? fit(pattern.toReversed(), names.map((name) => name.toReversed()))?.toReversed() : fit(pattern, names);
	if (!fitted) return void 0;
	const near = [fitted, [...fitted, "**"]].find((candidate) => names.some((name) => matchesSegments(candidate, name)));
	return near && writeSegments(near);
}
function fit(pattern, names) {
	const fitted = [];
	let left = names;
	for (const [depth, segment] of pattern.entries()) {
		if (segment === "**") return [...fitted, ...pattern.slice(depth)];
		const wanted = segmentFor(segment, left, depth);
		if (wanted === void 0) return void 0;
		left = left.filter((name) => stands(wanted, name, depth));
		fitted.push(wanted);
	}
	return fitted;
}
const mostCandidates = 2e4;
function segmentFor(segment, names, depth) {
	if (names.some((name) => stands(segment, name, depth))) return segment;
	const candidates = new Set(names.map((name) => name[depth]).filter((each) => each !== void 0));
	return candidates.size > mostCandidates ? void 0 : suggest(segment, [...candidates]);
}
function stands(segment, name, depth) {
	const there = name[depth];
	return there !== void 0 && matchesSegments([segment], [there]);
}
const anyElement = "*";
const mostPlaces = 1e4;
const deepest = 100;
function drawOutline() {
	const root = new Map();
	let places = 0;
	let isWhole = true;
	function add(value, at, depth) {
		if (!isArray(value) && !isObject$1(value) || !isWhole) return;
		if (depth > deepest) isWhole = false;
		else if (isArray(value)) for (const each of value) addBelow(anyElement, each, at, depth);
		else for (const name of Object.keys(value)) addBelow(name, value[name] ?? null, at, depth);
	}
	function addBelow(name, value, at, depth) {
		const below = at.get(name) ?? grow(at, name);
		if (below) add(value, below, depth + 1);
	}
	function grow(at, name) {
		places += 1;
		if (places > mostPlaces) {
			isWhole = false;
			return;
		}
		const below = new Map();
		at.set(name, below);
		return below;
	}
	return {
		add: (document) => add(document, root, 0),
		outline: () => isWhole ? root : void 0
	};
}
function isInOutline(pattern, outline) {
	return isFound(startMatching([pattern]), outline);
}
function isFound(matching, outline) {
	if (matching.isMatch) return true;
	return matching.goesOn && outline.entries().some(([name, below]) => isFound(matching.below(name), below));
}
function nearestPointer(pattern, outline) {
	const fitted = [];
	let at = [outline];
	for (const [depth, token] of pattern.entries()) {
		if (token === "**") {
			fitted.push(...pattern.slice(depth));
			break;
		}
		const step = stepFor(token, new Set(at.flatMap((each) => [...each.keys()])));
		if (step === void 0) return void 0;
		at = at.flatMap((each) => childrenAt(each, step));
		fitted.push(step);
	}
	return isInOutline(fitted, outline) ? fitted : void 0;
}
function stepFor(token, names) {
	if (token === anyElement || names.has(token)) return token;
	return names.has(anyElement) && /^(?:\d+|-)$/u.test(token) ? anyElement : suggest(token, [...names]);
}
function childrenAt(outline, token) {
	if (token === anyElement) return [...outline.values()];
	const child = outline.get(token);
	return child ? [child] : [];
}
function elementMembers(outline) {
	const members = new Map();
	const visit = (at) => {
		for (const [name, below] of at) {
			const element = below.get(anyElement);
			if (element) members.set(name, new Set([...members.get(name) ?? [], ...element.keys()]));
			visit(below);
		}
	};
	visit(outline);
	return members;
}
function unusedWithin(patterns, outline) {
	if (!outline || outline.size === 0) return [];
	return patterns.flatMap((written) => {
		switch (written.kind) {
			case "pointer": return unusedPointer(written, outline);
			case "key": return unusedKey(written, elementMembers(outline));
			case "name":
			case "path": return [];
		}
	});
}
const correctIt = "Correct it, or remove it.";
const aboutPointers = `${correctIt} \`*\` stands for any one step, as for each element of an array, \`**\` for any number of steps.`;
function unusedPointer(written, outline) {
	if (isInOutline(written.pattern, outline)) return [];
	const near = nearestPointer(written.pattern, outline);
	return [unusedPattern(written, "matches nothing in any contract that has a file", near ? `Did you mean "${formatPointer(near)}"?` : aboutPointers)];
}
function unusedKey(written, arrays) {
	const known = arrays.get(written.text);
	if (!known) return [unusedPattern(written, "is no array of any contract that has a file", didYouMean(written.text, [...arrays.keys()]) ?? "Correct it, or remove it.")];
	return written.members.filter((member) => !known.has(member)).map((member) => {
		return unusedPattern(written, `tells elements apart by ${quote$1(member)}, which none of them has`, didYouMean(member, [...known]) ?? "Correct it, or remove it.");
	});
}
function unusedPattern({ setting, text, source }, complaint, hint) {
	return {
		code: "pattern-unused",
		severity: "warning",
		message: `${setting.startsWith("--") ? `${setting} ${quote$1(text)}` : `${quote$1(text)} in \`${setting}\``} ${complaint}.`,
		hint,
		...source && { source }
	};
}
function watchPatterns(patterns, desired) {
	const names = watchNames(patterns.filter((written) => written.kind === "name"));
	for (const { identity } of desired) names.see(identity);
	const paths = patterns.filter((written) => written.kind === "path");
	const within = patterns.filter(({ kind }) => kind === "pointer" || kind === "key");
	const drawer = drawOutline();
	return {
		see: (live, file) => {
			names.see(live);
			if (within.length === 0 || !file) return;
			drawer.add(live.document);
			drawer.add(file.managed);
		},
		diagnostics: () => [
			...names.diagnostics(),
			...paths.flatMap((written) => unusedPath(written, desired)),
			...unusedWithin(within, drawer.outline())
		]
	};
}
function watchNames(patterns) {
	let unused = patterns;
	const seen = new Set();
	return {
		see: (identity) => {
			if (unused.length === 0) return;
			const names = qualifiedNames(identity);
			for (const name of names) seen.add(name);
			if (!matchesName(patternsOf(unused), names)) return;
			unused = unused.filter(({ pattern }) => !matchesName([pattern], names));
			if (unused.length === 0) seen.clear();
		},
		diagnostics: () => {
			if (unused.length === 0) return [];
			const names = [...seen].map(canonicalSegments);
			return unused.map((written) => unusedName(written, names));
		}
	};
}
function patternsOf(patterns) {
	return patterns.map(({ pattern }) => pattern);
}
function unusedName(written, names) {
	const near = nearestPattern(written.pattern, names);
	return unusedPattern(written, "matches no contract", near === void 0 ? aboutNames : `Did you mean "${near}"?`);
}
const aboutNames = `${correctIt} A pattern stands for qualified names: \`*\` is any text within a segment, \`**\` any number of segments.`;
function unusedPath(written, desired) {
	const files = [...new Set(desired.map(({ source }) => source.file))];
	if (files.some((file) => matchesSegments(written.pattern, file.split("/")))) return [];
	return [unusedPattern(written, "matches no file", didYouMean(written.text, files) ?? "Correct it, or remove it.")];
}
async function sync(run) {
	const { contracts: desired, diagnostics } = await (run.readContracts ?? readContracts)(run.files, run.rules.lifecycle);
	if (hasErrors(diagnostics)) return erroredPlan(run.catalogUrl, diagnostics);
	const query = queryFor(desired, run.rules.unmanaged.rule !== "ignore");
	const planner = createPlanner(desired, query, run);
	let pages = 0;
	for await (const page of run.reader.list(query)) {
		planner.take(page);
		pages += 1;
	}
	const missing = planner.missing();
	const missed = createMatcher(missing);
	for await (const page of lookAgain(run.reader, missing, pages)) planner.takeMissed(page, missed);
	return planner.finish(diagnostics);
}
function createPlanner(desired, query, run) {
	const matcher = createMatcher(desired);
	const selector = createSelector(run.selection);
	const watch = watchPatterns(!run.isNarrowed && query.entities === void 0 ? [...run.rules.patterns, ...exclusions(run.selection)] : [], desired);
	const understand = createUnderstanding(run);
	const nearNames = createNearNames();
	let contracts = [];
	let read = 0;
	const plan = (listed, understood) => {
		const { live } = understood;
		contracts.push(...selector.select(planUnderstood(understood, matcher, watch.see), live));
		if (!matcher.isMatched(listed.id)) nearNames.note(live);
	};
	return {
		take: (page) => {
			for (const listed of page.contracts) plan(listed, understand(listed));
			read += page.contracts.length;
			run.onPage?.(read, page.total);
		},
		missing: matcher.unmatched,
		takeMissed: (page, missed) => {
			for (const listed of page.contracts) {
				const understood = understand(listed);
				if (matcher.isMatched(listed.id) || !missed.match(understood.live)) continue;
				contracts = contracts.filter((known) => !("id" in known) || known.id !== listed.id);
				plan(listed, understood);
			}
		},
		finish: (diagnostics) => {
			const missing = matcher.unmatched().flatMap((file) => {
				const nearest = nearNames.nearest(file.identity);
				return selector.select(planMissing(file, run.rules, nearest), file.identity);
			});
			const observers = [
				matcher,
				selector,
				watch
			];
			const problems = [...diagnostics, ...observers.flatMap((each) => each.diagnostics())];
			const all = [...contracts, ...missing];
			return enforceLimits(makePlan$1(run.catalogUrl, all, problems, selector.summary()), run.rules, run.overrides);
		}
	};
}
async function openLivePlanner(run) {
	const { contracts, diagnostics } = await readContracts(run.files, run.rules.lifecycle);
	if (hasErrors(diagnostics)) return void 0;
	const matcher = createMatcher(contracts);
	const understand = createUnderstanding(run);
	return (listed) => planUnderstood(understand(listed), matcher);
}
function createUnderstanding({ rules, dialect: setting }) {
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
		return {
			live: dialect.complete(listed),
			rules: spoken
		};
	};
}
function planUnderstood({ live, rules }, matcher, see = () => void 0) {
	const desired = matcher.match(live);
	see(live, desired);
	return desired ? planContract(live, desired, rules) : planUnmanaged(live, rules);
}
async function recoverPlan(plan, reviewedHash, session) {
	const planState = await openLivePlanner(session);
	if (!planState) return void 0;
	const state = new Map(updates(plan).map((change) => [change.id, change]));
	try {
		for await (const write of writesBackwards(plan, session.reader)) {
			undo(write, state, planState);
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
function undo({ before }, state, planState) {
	const planned = planState(before);
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
async function planNow(session) {
	return sync(readAhead(session));
}
async function reviewPlan(plan, reviewed, session) {
	if (!reviewed) return { plan };
	const result = await review(plan, reviewed, session);
	return {
		plan: withReview(plan, result),
		review: result
	};
}
function readSavedPlan({ name, folder, hint }) {
	return openPlan(readText(resolve(folder, name), {
		name,
		hint
	}), name);
}
function readText(path, { name, hint }) {
	try {
		return readFileSync(path, "utf8");
	} catch (cause) {
		throw new ConfigError("unreadable-plan", `The plan file ${name} cannot be read.`, {
			hint,
			cause
		});
	}
}
function openSavedPlan(file, { catalogUrl }) {
	const plan = readSavedPlan(file);
	if (plan.catalogUrl === catalogUrl) return plan;
	const other = withoutSecrets(plan.catalogUrl);
	throw new SyncError("other-catalog", `The plan in ${file.name} was made for ${other}, not for ${catalogUrl}.`, { hint: "Give the catalog that it was made for, or plan again." });
}
const validate = validate20;
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
				},
				"timeoutThrottledSeconds": {
					"description": "How long to wait for one success while the catalog refuses requests for their number.",
					"type": "number",
					"exclusiveMinimum": 0,
					"maximum": 86400,
					"default": 600
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
		"missing": {
			"title": "Files without a live contract",
			"description": "What it is that the catalog has no contract for a file: an `error`, with exit code 1, or a remark, for teams whose files come before the contracts. Other contracts are planned and applied either way.",
			"enum": ["error", "report"],
			"default": "error"
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
					"description": "Contracts that go out of use: that become Deprecated, Retired or Archived, or reach a status from which no move leads on to a later one.",
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
				for (const key1 in data0) if (!(key1 === "url" || key1 === "dialect" || key1 === "pageSize" || key1 === "concurrency" || key1 === "timeoutSeconds" || key1 === "timeoutThrottledSeconds")) {
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
				if (data0.timeoutThrottledSeconds !== void 0) {
					let data6 = data0.timeoutThrottledSeconds;
					if (typeof data6 == "number" && isFinite(data6)) {
						if (data6 > 86400 || isNaN(data6)) {
							const err15 = {
								instancePath: instancePath + "/catalog/timeoutThrottledSeconds",
								schemaPath: "#/properties/catalog/properties/timeoutThrottledSeconds/maximum",
								keyword: "maximum",
								params: {
									comparison: "<=",
									limit: 86400
								},
								message: "must be <= 86400",
								schema: 86400,
								parentSchema: schema31.properties.catalog.properties.timeoutThrottledSeconds,
								data: data6
							};
							if (vErrors === null) vErrors = [err15];
							else vErrors.push(err15);
							errors++;
						}
						if (data6 <= 0 || isNaN(data6)) {
							const err16 = {
								instancePath: instancePath + "/catalog/timeoutThrottledSeconds",
								schemaPath: "#/properties/catalog/properties/timeoutThrottledSeconds/exclusiveMinimum",
								keyword: "exclusiveMinimum",
								params: {
									comparison: ">",
									limit: 0
								},
								message: "must be > 0",
								schema: 0,
								parentSchema: schema31.properties.catalog.properties.timeoutThrottledSeconds,
								data: data6
							};
							if (vErrors === null) vErrors = [err16];
							else vErrors.push(err16);
							errors++;
						}
					} else {
						const err17 = {
							instancePath: instancePath + "/catalog/timeoutThrottledSeconds",
							schemaPath: "#/properties/catalog/properties/timeoutThrottledSeconds/type",
							keyword: "type",
							params: { type: "number" },
							message: "must be number",
							schema: schema31.properties.catalog.properties.timeoutThrottledSeconds.type,
							parentSchema: schema31.properties.catalog.properties.timeoutThrottledSeconds,
							data: data6
						};
						if (vErrors === null) vErrors = [err17];
						else vErrors.push(err17);
						errors++;
					}
				}
			} else {
				const err18 = {
					instancePath: instancePath + "/catalog",
					schemaPath: "#/properties/catalog/type",
					keyword: "type",
					params: { type: "object" },
					message: "must be object",
					schema: schema31.properties.catalog.type,
					parentSchema: schema31.properties.catalog,
					data: data0
				};
				if (vErrors === null) vErrors = [err18];
				else vErrors.push(err18);
				errors++;
			}
		}
		if (data.auth !== void 0) {
			let data7 = data.auth;
			if (data7 && typeof data7 == "object" && !Array.isArray(data7)) {
				for (const key2 in data7) if (!(key2 === "issuer" || key2 === "clientId" || key2 === "method" || key2 === "scope" || key2 === "resource" || key2 === "audience" || key2 === "idTokenAudience" || key2 === "subjectTokenType")) {
					const err19 = {
						instancePath: instancePath + "/auth",
						schemaPath: "#/properties/auth/additionalProperties",
						keyword: "additionalProperties",
						params: { additionalProperty: key2 },
						message: "must NOT have additional properties",
						schema: false,
						parentSchema: schema31.properties.auth,
						data: data7
					};
					if (vErrors === null) vErrors = [err19];
					else vErrors.push(err19);
					errors++;
				}
				if (data7.issuer !== void 0) {
					let data8 = data7.issuer;
					if (typeof data8 === "string") {
						if (func2(data8) < 1) {
							const err20 = {
								instancePath: instancePath + "/auth/issuer",
								schemaPath: "#/properties/auth/properties/issuer/minLength",
								keyword: "minLength",
								params: { limit: 1 },
								message: "must NOT have fewer than 1 characters",
								schema: 1,
								parentSchema: schema31.properties.auth.properties.issuer,
								data: data8
							};
							if (vErrors === null) vErrors = [err20];
							else vErrors.push(err20);
							errors++;
						}
					} else {
						const err21 = {
							instancePath: instancePath + "/auth/issuer",
							schemaPath: "#/properties/auth/properties/issuer/type",
							keyword: "type",
							params: { type: "string" },
							message: "must be string",
							schema: schema31.properties.auth.properties.issuer.type,
							parentSchema: schema31.properties.auth.properties.issuer,
							data: data8
						};
						if (vErrors === null) vErrors = [err21];
						else vErrors.push(err21);
						errors++;
					}
				}
				if (data7.clientId !== void 0) {
					let data9 = data7.clientId;
					if (typeof data9 === "string") {
						if (func2(data9) < 1) {
							const err22 = {
								instancePath: instancePath + "/auth/clientId",
								schemaPath: "#/properties/auth/properties/clientId/minLength",
								keyword: "minLength",
								params: { limit: 1 },
								message: "must NOT have fewer than 1 characters",
								schema: 1,
								parentSchema: schema31.properties.auth.properties.clientId,
								data: data9
							};
							if (vErrors === null) vErrors = [err22];
							else vErrors.push(err22);
							errors++;
						}
					} else {
						const err23 = {
							instancePath: instancePath + "/auth/clientId",
							schemaPath: "#/properties/auth/properties/clientId/type",
							keyword: "type",
							params: { type: "string" },
							message: "must be string",
							schema: schema31.properties.auth.properties.clientId.type,
							parentSchema: schema31.properties.auth.properties.clientId,
							data: data9
						};
						if (vErrors === null) vErrors = [err23];
						else vErrors.push(err23);
						errors++;
					}
				}
				if (data7.method !== void 0) {
					let data10 = data7.method;
					if (!(data10 === "client-secret-basic" || data10 === "client-secret-post" || data10 === "private-key-jwt" || data10 === "github-client-assertion" || data10 === "github-token-exchange" || data10 === "device-login")) {
						const err24 = {
							instancePath: instancePath + "/auth/method",
							schemaPath: "#/properties/auth/properties/method/enum",
							keyword: "enum",
							params: { allowedValues: schema31.properties.auth.properties.method.enum },
							message: "must be equal to one of the allowed values",
							schema: schema31.properties.auth.properties.method.enum,
							parentSchema: schema31.properties.auth.properties.method,
							data: data10
						};
						if (vErrors === null) vErrors = [err24];
						else vErrors.push(err24);
						errors++;
					}
				}
				if (data7.scope !== void 0) {
					let data11 = data7.scope;
					if (typeof data11 === "string") {
						if (func2(data11) < 1) {
							const err25 = {
								instancePath: instancePath + "/auth/scope",
								schemaPath: "#/properties/auth/properties/scope/minLength",
								keyword: "minLength",
								params: { limit: 1 },
								message: "must NOT have fewer than 1 characters",
								schema: 1,
								parentSchema: schema31.properties.auth.properties.scope,
								data: data11
							};
							if (vErrors === null) vErrors = [err25];
							else vErrors.push(err25);
							errors++;
						}
					} else {
						const err26 = {
							instancePath: instancePath + "/auth/scope",
							schemaPath: "#/properties/auth/properties/scope/type",
							keyword: "type",
							params: { type: "string" },
							message: "must be string",
							schema: schema31.properties.auth.properties.scope.type,
							parentSchema: schema31.properties.auth.properties.scope,
							data: data11
						};
						if (vErrors === null) vErrors = [err26];
						else vErrors.push(err26);
						errors++;
					}
				}
				if (data7.resource !== void 0) {
					let data12 = data7.resource;
					if (typeof data12 === "string") {
						if (func2(data12) < 1) {
							const err27 = {
								instancePath: instancePath + "/auth/resource",
								schemaPath: "#/properties/auth/properties/resource/minLength",
								keyword: "minLength",
								params: { limit: 1 },
								message: "must NOT have fewer than 1 characters",
								schema: 1,
								parentSchema: schema31.properties.auth.properties.resource,
								data: data12
							};
							if (vErrors === null) vErrors = [err27];
							else vErrors.push(err27);
							errors++;
						}
					} else {
						const err28 = {
							instancePath: instancePath + "/auth/resource",
							schemaPath: "#/properties/auth/properties/resource/type",
							keyword: "type",
							params: { type: "string" },
							message: "must be string",
							schema: schema31.properties.auth.properties.resource.type,
							parentSchema: schema31.properties.auth.properties.resource,
							data: data12
						};
						if (vErrors === null) vErrors = [err28];
						else vErrors.push(err28);
						errors++;
					}
				}
				if (data7.audience !== void 0) {
					let data13 = data7.audience;
					if (typeof data13 === "string") {
						if (func2(data13) < 1) {
							const err29 = {
								instancePath: instancePath + "/auth/audience",
								schemaPath: "#/properties/auth/properties/audience/minLength",
								keyword: "minLength",
								params: { limit: 1 },
								message: "must NOT have fewer than 1 characters",
								schema: 1,
								parentSchema: schema31.properties.auth.properties.audience,
								data: data13
							};
							if (vErrors === null) vErrors = [err29];
							else vErrors.push(err29);
							errors++;
						}
					} else {
						const err30 = {
							instancePath: instancePath + "/auth/audience",
							schemaPath: "#/properties/auth/properties/audience/type",
							keyword: "type",
							params: { type: "string" },
							message: "must be string",
							schema: schema31.properties.auth.properties.audience.type,
							parentSchema: schema31.properties.auth.properties.audience,
							data: data13
						};
						if (vErrors === null) vErrors = [err30];
						else vErrors.push(err30);
						errors++;
					}
				}
				if (data7.idTokenAudience !== void 0) {
					let data14 = data7.idTokenAudience;
					if (typeof data14 === "string") {
						if (func2(data14) < 1) {
							const err31 = {
								instancePath: instancePath + "/auth/idTokenAudience",
								schemaPath: "#/properties/auth/properties/idTokenAudience/minLength",
								keyword: "minLength",
								params: { limit: 1 },
								message: "must NOT have fewer than 1 characters",
								schema: 1,
								parentSchema: schema31.properties.auth.properties.idTokenAudience,
								data: data14
							};
							if (vErrors === null) vErrors = [err31];
							else vErrors.push(err31);
							errors++;
						}
					} else {
						const err32 = {
							instancePath: instancePath + "/auth/idTokenAudience",
							schemaPath: "#/properties/auth/properties/idTokenAudience/type",
							keyword: "type",
							params: { type: "string" },
							message: "must be string",
							schema: schema31.properties.auth.properties.idTokenAudience.type,
							parentSchema: schema31.properties.auth.properties.idTokenAudience,
							data: data14
						};
						if (vErrors === null) vErrors = [err32];
						else vErrors.push(err32);
						errors++;
					}
				}
				if (data7.subjectTokenType !== void 0) {
					let data15 = data7.subjectTokenType;
					if (typeof data15 === "string") {
						if (func2(data15) < 1) {
							const err33 = {
								instancePath: instancePath + "/auth/subjectTokenType",
								schemaPath: "#/properties/auth/properties/subjectTokenType/minLength",
								keyword: "minLength",
								params: { limit: 1 },
								message: "must NOT have fewer than 1 characters",
								schema: 1,
								parentSchema: schema31.properties.auth.properties.subjectTokenType,
								data: data15
							};
							if (vErrors === null) vErrors = [err33];
							else vErrors.push(err33);
							errors++;
						}
					} else {
						const err34 = {
							instancePath: instancePath + "/auth/subjectTokenType",
							schemaPath: "#/properties/auth/properties/subjectTokenType/type",
							keyword: "type",
							params: { type: "string" },
							message: "must be string",
							schema: schema31.properties.auth.properties.subjectTokenType.type,
							parentSchema: schema31.properties.auth.properties.subjectTokenType,
							data: data15
						};
						if (vErrors === null) vErrors = [err34];
						else vErrors.push(err34);
						errors++;
					}
				}
			} else {
				const err35 = {
					instancePath: instancePath + "/auth",
					schemaPath: "#/properties/auth/type",
					keyword: "type",
					params: { type: "object" },
					message: "must be object",
					schema: schema31.properties.auth.type,
					parentSchema: schema31.properties.auth,
					data: data7
				};
				if (vErrors === null) vErrors = [err35];
				else vErrors.push(err35);
				errors++;
			}
		}
		if (data.contracts !== void 0) {
			let data16 = data.contracts;
			if (data16 && typeof data16 == "object" && !Array.isArray(data16)) {
				for (const key3 in data16) if (!(key3 === "include" || key3 === "exclude")) {
					const err36 = {
						instancePath: instancePath + "/contracts",
						schemaPath: "#/properties/contracts/additionalProperties",
						keyword: "additionalProperties",
						params: { additionalProperty: key3 },
						message: "must NOT have additional properties",
						schema: false,
						parentSchema: schema31.properties.contracts,
						data: data16
					};
					if (vErrors === null) vErrors = [err36];
					else vErrors.push(err36);
					errors++;
				}
				if (data16.include !== void 0) {
					let data17 = data16.include;
					if (Array.isArray(data17)) {
						if (data17.length < 1) {
							const err37 = {
								instancePath: instancePath + "/contracts/include",
								schemaPath: "#/properties/contracts/properties/include/minItems",
								keyword: "minItems",
								params: { limit: 1 },
								message: "must NOT have fewer than 1 items",
								schema: 1,
								parentSchema: schema31.properties.contracts.properties.include,
								data: data17
							};
							if (vErrors === null) vErrors = [err37];
							else vErrors.push(err37);
							errors++;
						}
						const len0 = data17.length;
						for (let i0 = 0; i0 < len0; i0++) {
							let data18 = data17[i0];
							if (typeof data18 === "string") {
								if (func2(data18) < 1) {
									const err38 = {
										instancePath: instancePath + "/contracts/include/" + i0,
										schemaPath: "#/properties/contracts/properties/include/items/minLength",
										keyword: "minLength",
										params: { limit: 1 },
										message: "must NOT have fewer than 1 characters",
										schema: 1,
										parentSchema: schema31.properties.contracts.properties.include.items,
										data: data18
									};
									if (vErrors === null) vErrors = [err38];
									else vErrors.push(err38);
									errors++;
								}
							} else {
								const err39 = {
									instancePath: instancePath + "/contracts/include/" + i0,
									schemaPath: "#/properties/contracts/properties/include/items/type",
									keyword: "type",
									params: { type: "string" },
									message: "must be string",
									schema: schema31.properties.contracts.properties.include.items.type,
									parentSchema: schema31.properties.contracts.properties.include.items,
									data: data18
								};
								if (vErrors === null) vErrors = [err39];
								else vErrors.push(err39);
								errors++;
							}
						}
					} else {
						const err40 = {
							instancePath: instancePath + "/contracts/include",
							schemaPath: "#/properties/contracts/properties/include/type",
							keyword: "type",
							params: { type: "array" },
							message: "must be array",
							schema: schema31.properties.contracts.properties.include.type,
							parentSchema: schema31.properties.contracts.properties.include,
							data: data17
						};
						if (vErrors === null) vErrors = [err40];
						else vErrors.push(err40);
						errors++;
					}
				}
				if (data16.exclude !== void 0) {
					let data19 = data16.exclude;
					if (Array.isArray(data19)) {
						const len1 = data19.length;
						for (let i1 = 0; i1 < len1; i1++) {
							let data20 = data19[i1];
							if (typeof data20 === "string") {
								if (func2(data20) < 1) {
									const err41 = {
										instancePath: instancePath + "/contracts/exclude/" + i1,
										schemaPath: "#/properties/contracts/properties/exclude/items/minLength",
										keyword: "minLength",
										params: { limit: 1 },
										message: "must NOT have fewer than 1 characters",
										schema: 1,
										parentSchema: schema31.properties.contracts.properties.exclude.items,
										data: data20
									};
									if (vErrors === null) vErrors = [err41];
									else vErrors.push(err41);
									errors++;
								}
							} else {
								const err42 = {
									instancePath: instancePath + "/contracts/exclude/" + i1,
									schemaPath: "#/properties/contracts/properties/exclude/items/type",
									keyword: "type",
									params: { type: "string" },
									message: "must be string",
									schema: schema31.properties.contracts.properties.exclude.items.type,
									parentSchema: schema31.properties.contracts.properties.exclude.items,
									data: data20
								};
								if (vErrors === null) vErrors = [err42];
								else vErrors.push(err42);
								errors++;
							}
						}
					} else {
						const err43 = {
							instancePath: instancePath + "/contracts/exclude",
							schemaPath: "#/properties/contracts/properties/exclude/type",
							keyword: "type",
							params: { type: "array" },
							message: "must be array",
							schema: schema31.properties.contracts.properties.exclude.type,
							parentSchema: schema31.properties.contracts.properties.exclude,
							data: data19
						};
						if (vErrors === null) vErrors = [err43];
						else vErrors.push(err43);
						errors++;
					}
				}
			} else {
				const err44 = {
					instancePath: instancePath + "/contracts",
					schemaPath: "#/properties/contracts/type",
					keyword: "type",
					params: { type: "object" },
					message: "must be object",
					schema: schema31.properties.contracts.type,
					parentSchema: schema31.properties.contracts,
					data: data16
				};
				if (vErrors === null) vErrors = [err44];
				else vErrors.push(err44);
				errors++;
			}
		}
		if (data.scope !== void 0) {
			let data21 = data.scope;
			if (Array.isArray(data21)) {
				const len2 = data21.length;
				for (let i2 = 0; i2 < len2; i2++) {
					let data22 = data21[i2];
					if (typeof data22 === "string") {
						if (func2(data22) < 1) {
							const err45 = {
								instancePath: instancePath + "/scope/" + i2,
								schemaPath: "#/properties/scope/items/minLength",
								keyword: "minLength",
								params: { limit: 1 },
								message: "must NOT have fewer than 1 characters",
								schema: 1,
								parentSchema: schema31.properties.scope.items,
								data: data22
							};
							if (vErrors === null) vErrors = [err45];
							else vErrors.push(err45);
							errors++;
						}
					} else {
						const err46 = {
							instancePath: instancePath + "/scope/" + i2,
							schemaPath: "#/properties/scope/items/type",
							keyword: "type",
							params: { type: "string" },
							message: "must be string",
							schema: schema31.properties.scope.items.type,
							parentSchema: schema31.properties.scope.items,
							data: data22
						};
						if (vErrors === null) vErrors = [err46];
						else vErrors.push(err46);
						errors++;
					}
				}
			} else {
				const err47 = {
					instancePath: instancePath + "/scope",
					schemaPath: "#/properties/scope/type",
					keyword: "type",
					params: { type: "array" },
					message: "must be array",
					schema: schema31.properties.scope.type,
					parentSchema: schema31.properties.scope,
					data: data21
				};
				if (vErrors === null) vErrors = [err47];
				else vErrors.push(err47);
				errors++;
			}
		}
		if (data.unmanaged !== void 0) {
			let data23 = data.unmanaged;
			if (!(data23 === "ignore" || data23 === "report" || data23 === "deprecate")) {
				const err48 = {
					instancePath: instancePath + "/unmanaged",
					schemaPath: "#/properties/unmanaged/enum",
					keyword: "enum",
					params: { allowedValues: schema31.properties.unmanaged.enum },
					message: "must be equal to one of the allowed values",
					schema: schema31.properties.unmanaged.enum,
					parentSchema: schema31.properties.unmanaged,
					data: data23
				};
				if (vErrors === null) vErrors = [err48];
				else vErrors.push(err48);
				errors++;
			}
		}
		if (data.missing !== void 0) {
			let data24 = data.missing;
			if (!(data24 === "error" || data24 === "report")) {
				const err49 = {
					instancePath: instancePath + "/missing",
					schemaPath: "#/properties/missing/enum",
					keyword: "enum",
					params: { allowedValues: schema31.properties.missing.enum },
					message: "must be equal to one of the allowed values",
					schema: schema31.properties.missing.enum,
					parentSchema: schema31.properties.missing,
					data: data24
				};
				if (vErrors === null) vErrors = [err49];
				else vErrors.push(err49);
				errors++;
			}
		}
		if (data.lifecycle !== void 0) {
			let data25 = data.lifecycle;
			if (data25 && typeof data25 == "object" && !Array.isArray(data25)) {
				for (const key4 in data25) if (!(key4 === "statuses" || key4 === "transitions")) {
					const err50 = {
						instancePath: instancePath + "/lifecycle",
						schemaPath: "#/properties/lifecycle/additionalProperties",
						keyword: "additionalProperties",
						params: { additionalProperty: key4 },
						message: "must NOT have additional properties",
						schema: false,
						parentSchema: schema31.properties.lifecycle,
						data: data25
					};
					if (vErrors === null) vErrors = [err50];
					else vErrors.push(err50);
					errors++;
				}
				if (data25.statuses !== void 0) {
					let data26 = data25.statuses;
					if (Array.isArray(data26)) {
						if (data26.length < 1) {
							const err51 = {
								instancePath: instancePath + "/lifecycle/statuses",
								schemaPath: "#/properties/lifecycle/properties/statuses/minItems",
								keyword: "minItems",
								params: { limit: 1 },
								message: "must NOT have fewer than 1 items",
								schema: 1,
								parentSchema: schema31.properties.lifecycle.properties.statuses,
								data: data26
							};
							if (vErrors === null) vErrors = [err51];
							else vErrors.push(err51);
							errors++;
						}
						const len3 = data26.length;
						for (let i3 = 0; i3 < len3; i3++) {
							let data27 = data26[i3];
							if (typeof data27 === "string") {
								if (func2(data27) < 1) {
									const err52 = {
										instancePath: instancePath + "/lifecycle/statuses/" + i3,
										schemaPath: "#/properties/lifecycle/properties/statuses/items/minLength",
										keyword: "minLength",
										params: { limit: 1 },
										message: "must NOT have fewer than 1 characters",
										schema: 1,
										parentSchema: schema31.properties.lifecycle.properties.statuses.items,
										data: data27
									};
									if (vErrors === null) vErrors = [err52];
									else vErrors.push(err52);
									errors++;
								}
							} else {
								const err53 = {
									instancePath: instancePath + "/lifecycle/statuses/" + i3,
									schemaPath: "#/properties/lifecycle/properties/statuses/items/type",
									keyword: "type",
									params: { type: "string" },
									message: "must be string",
									schema: schema31.properties.lifecycle.properties.statuses.items.type,
									parentSchema: schema31.properties.lifecycle.properties.statuses.items,
									data: data27
								};
								if (vErrors === null) vErrors = [err53];
								else vErrors.push(err53);
								errors++;
							}
						}
						let i4 = data26.length;
						let j0;
						if (i4 > 1) {
							const indices0 = {};
							for (; i4--;) {
								let item0 = data26[i4];
								if (typeof item0 !== "string") continue;
								if (typeof indices0[item0] == "number") {
									j0 = indices0[item0];
									const err54 = {
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
										data: data26
									};
									if (vErrors === null) vErrors = [err54];
									else vErrors.push(err54);
									errors++;
									break;
								}
								indices0[item0] = i4;
							}
						}
					} else {
						const err55 = {
							instancePath: instancePath + "/lifecycle/statuses",
							schemaPath: "#/properties/lifecycle/properties/statuses/type",
							keyword: "type",
							params: { type: "array" },
							message: "must be array",
							schema: schema31.properties.lifecycle.properties.statuses.type,
							parentSchema: schema31.properties.lifecycle.properties.statuses,
							data: data26
						};
						if (vErrors === null) vErrors = [err55];
						else vErrors.push(err55);
						errors++;
					}
				}
				if (data25.transitions !== void 0) {
					let data28 = data25.transitions;
					if (Array.isArray(data28)) {
						const len4 = data28.length;
						for (let i5 = 0; i5 < len4; i5++) {
							let data29 = data28[i5];
							if (data29 && typeof data29 == "object" && !Array.isArray(data29)) {
								if (data29.from === void 0) {
									const err56 = {
										instancePath: instancePath + "/lifecycle/transitions/" + i5,
										schemaPath: "#/properties/lifecycle/properties/transitions/items/required",
										keyword: "required",
										params: { missingProperty: "from" },
										message: "must have required property 'from'",
										schema: schema31.properties.lifecycle.properties.transitions.items.required,
										parentSchema: schema31.properties.lifecycle.properties.transitions.items,
										data: data29
									};
									if (vErrors === null) vErrors = [err56];
									else vErrors.push(err56);
									errors++;
								}
								if (data29.to === void 0) {
									const err57 = {
										instancePath: instancePath + "/lifecycle/transitions/" + i5,
										schemaPath: "#/properties/lifecycle/properties/transitions/items/required",
										keyword: "required",
										params: { missingProperty: "to" },
										message: "must have required property 'to'",
										schema: schema31.properties.lifecycle.properties.transitions.items.required,
										parentSchema: schema31.properties.lifecycle.properties.transitions.items,
										data: data29
									};
									if (vErrors === null) vErrors = [err57];
									else vErrors.push(err57);
									errors++;
								}
								for (const key5 in data29) if (!(key5 === "from" || key5 === "to" || key5 === "rule")) {
									const err58 = {
										instancePath: instancePath + "/lifecycle/transitions/" + i5,
										schemaPath: "#/properties/lifecycle/properties/transitions/items/additionalProperties",
										keyword: "additionalProperties",
										params: { additionalProperty: key5 },
										message: "must NOT have additional properties",
										schema: false,
										parentSchema: schema31.properties.lifecycle.properties.transitions.items,
										data: data29
									};
									if (vErrors === null) vErrors = [err58];
									else vErrors.push(err58);
									errors++;
								}
								if (data29.from !== void 0) {
									let data30 = data29.from;
									if (typeof data30 === "string") {
										if (func2(data30) < 1) {
											const err59 = {
												instancePath: instancePath + "/lifecycle/transitions/" + i5 + "/from",
												schemaPath: "#/properties/lifecycle/properties/transitions/items/properties/from/minLength",
												keyword: "minLength",
												params: { limit: 1 },
												message: "must NOT have fewer than 1 characters",
												schema: 1,
												parentSchema: schema31.properties.lifecycle.properties.transitions.items.properties.from,
												data: data30
											};
											if (vErrors === null) vErrors = [err59];
											else vErrors.push(err59);
											errors++;
										}
									} else {
										const err60 = {
											instancePath: instancePath + "/lifecycle/transitions/" + i5 + "/from",
											schemaPath: "#/properties/lifecycle/properties/transitions/items/properties/from/type",
											keyword: "type",
											params: { type: "string" },
											message: "must be string",
											schema: schema31.properties.lifecycle.properties.transitions.items.properties.from.type,
											parentSchema: schema31.properties.lifecycle.properties.transitions.items.properties.from,
											data: data30
										};
										if (vErrors === null) vErrors = [err60];
										else vErrors.push(err60);
										errors++;
									}
								}
								if (data29.to !== void 0) {
									let data31 = data29.to;
									if (typeof data31 === "string") {
										if (func2(data31) < 1) {
											const err61 = {
												instancePath: instancePath + "/lifecycle/transitions/" + i5 + "/to",
												schemaPath: "#/properties/lifecycle/properties/transitions/items/properties/to/minLength",
												keyword: "minLength",
												params: { limit: 1 },
												message: "must NOT have fewer than 1 characters",
												schema: 1,
												parentSchema: schema31.properties.lifecycle.properties.transitions.items.properties.to,
												data: data31
											};
											if (vErrors === null) vErrors = [err61];
											else vErrors.push(err61);
											errors++;
										}
									} else {
										const err62 = {
											instancePath: instancePath + "/lifecycle/transitions/" + i5 + "/to",
											schemaPath: "#/properties/lifecycle/properties/transitions/items/properties/to/type",
											keyword: "type",
											params: { type: "string" },
											message: "must be string",
											schema: schema31.properties.lifecycle.properties.transitions.items.properties.to.type,
											parentSchema: schema31.properties.lifecycle.properties.transitions.items.properties.to,
											data: data31
										};
										if (vErrors === null) vErrors = [err62];
										else vErrors.push(err62);
										errors++;
									}
								}
								if (data29.rule !== void 0) {
									let data32 = data29.rule;
									if (!(data32 === "allow" || data32 === "warn" || data32 === "block")) {
										const err63 = {
											instancePath: instancePath + "/lifecycle/transitions/" + i5 + "/rule",
											schemaPath: "#/properties/lifecycle/properties/transitions/items/properties/rule/enum",
											keyword: "enum",
											params: { allowedValues: schema31.properties.lifecycle.properties.transitions.items.properties.rule.enum },
											message: "must be equal to one of the allowed values",
											schema: schema31.properties.lifecycle.properties.transitions.items.properties.rule.enum,
											parentSchema: schema31.properties.lifecycle.properties.transitions.items.properties.rule,
											data: data32
										};
										if (vErrors === null) vErrors = [err63];
										else vErrors.push(err63);
										errors++;
									}
								}
							} else {
								const err64 = {
									instancePath: instancePath + "/lifecycle/transitions/" + i5,
									schemaPath: "#/properties/lifecycle/properties/transitions/items/type",
									keyword: "type",
									params: { type: "object" },
									message: "must be object",
									schema: schema31.properties.lifecycle.properties.transitions.items.type,
									parentSchema: schema31.properties.lifecycle.properties.transitions.items,
									data: data29
								};
								if (vErrors === null) vErrors = [err64];
								else vErrors.push(err64);
								errors++;
							}
						}
					} else {
						const err65 = {
							instancePath: instancePath + "/lifecycle/transitions",
							schemaPath: "#/properties/lifecycle/properties/transitions/type",
							keyword: "type",
							params: { type: "array" },
							message: "must be array",
							schema: schema31.properties.lifecycle.properties.transitions.type,
							parentSchema: schema31.properties.lifecycle.properties.transitions,
							data: data28
						};
						if (vErrors === null) vErrors = [err65];
						else vErrors.push(err65);
						errors++;
					}
				}
			} else {
				const err66 = {
					instancePath: instancePath + "/lifecycle",
					schemaPath: "#/properties/lifecycle/type",
					keyword: "type",
					params: { type: "object" },
					message: "must be object",
					schema: schema31.properties.lifecycle.type,
					parentSchema: schema31.properties.lifecycle,
					data: data25
				};
				if (vErrors === null) vErrors = [err66];
				else vErrors.push(err66);
				errors++;
			}
		}
		if (data.compatibility !== void 0) {
			let data33 = data.compatibility;
			if (data33 && typeof data33 == "object" && !Array.isArray(data33)) {
				for (const key6 in data33) if (!(key6 === "mode" || key6 === "draft" || key6 === "active" || key6 === "deprecated" || key6 === "widenings")) {
					let data34 = data33[key6];
					if (!(data34 === "off" || data34 === "warn" || data34 === "error")) {
						const err67 = {
							instancePath: instancePath + "/compatibility/" + key6.replace(/~/g, "~0").replace(/\//g, "~1"),
							schemaPath: "#/properties/compatibility/additionalProperties/enum",
							keyword: "enum",
							params: { allowedValues: schema31.properties.compatibility.additionalProperties.enum },
							message: "must be equal to one of the allowed values",
							schema: schema31.properties.compatibility.additionalProperties.enum,
							parentSchema: schema31.properties.compatibility.additionalProperties,
							data: data34
						};
						if (vErrors === null) vErrors = [err67];
						else vErrors.push(err67);
						errors++;
					}
				}
				if (data33.mode !== void 0) {
					let data35 = data33.mode;
					if (!(data35 === "forward" || data35 === "backward" || data35 === "full" || data35 === "none")) {
						const err68 = {
							instancePath: instancePath + "/compatibility/mode",
							schemaPath: "#/properties/compatibility/properties/mode/enum",
							keyword: "enum",
							params: { allowedValues: schema31.properties.compatibility.properties.mode.enum },
							message: "must be equal to one of the allowed values",
							schema: schema31.properties.compatibility.properties.mode.enum,
							parentSchema: schema31.properties.compatibility.properties.mode,
							data: data35
						};
						if (vErrors === null) vErrors = [err68];
						else vErrors.push(err68);
						errors++;
					}
				}
				if (data33.draft !== void 0) {
					let data36 = data33.draft;
					if (!(data36 === "off" || data36 === "warn" || data36 === "error")) {
						const err69 = {
							instancePath: instancePath + "/compatibility/draft",
							schemaPath: "#/properties/compatibility/properties/draft/enum",
							keyword: "enum",
							params: { allowedValues: schema31.properties.compatibility.properties.draft.enum },
							message: "must be equal to one of the allowed values",
							schema: schema31.properties.compatibility.properties.draft.enum,
							parentSchema: schema31.properties.compatibility.properties.draft,
							data: data36
						};
						if (vErrors === null) vErrors = [err69];
						else vErrors.push(err69);
						errors++;
					}
				}
				if (data33.active !== void 0) {
					let data37 = data33.active;
					if (!(data37 === "off" || data37 === "warn" || data37 === "error")) {
						const err70 = {
							instancePath: instancePath + "/compatibility/active",
							schemaPath: "#/properties/compatibility/properties/active/enum",
							keyword: "enum",
							params: { allowedValues: schema31.properties.compatibility.properties.active.enum },
							message: "must be equal to one of the allowed values",
							schema: schema31.properties.compatibility.properties.active.enum,
							parentSchema: schema31.properties.compatibility.properties.active,
							data: data37
						};
						if (vErrors === null) vErrors = [err70];
						else vErrors.push(err70);
						errors++;
					}
				}
				if (data33.deprecated !== void 0) {
					let data38 = data33.deprecated;
					if (!(data38 === "off" || data38 === "warn" || data38 === "error")) {
						const err71 = {
							instancePath: instancePath + "/compatibility/deprecated",
							schemaPath: "#/properties/compatibility/properties/deprecated/enum",
							keyword: "enum",
							params: { allowedValues: schema31.properties.compatibility.properties.deprecated.enum },
							message: "must be equal to one of the allowed values",
							schema: schema31.properties.compatibility.properties.deprecated.enum,
							parentSchema: schema31.properties.compatibility.properties.deprecated,
							data: data38
						};
						if (vErrors === null) vErrors = [err71];
						else vErrors.push(err71);
						errors++;
					}
				}
				if (data33.widenings !== void 0) {
					let data39 = data33.widenings;
					if (Array.isArray(data39)) {
						const len5 = data39.length;
						for (let i6 = 0; i6 < len5; i6++) {
							let data40 = data39[i6];
							if (Array.isArray(data40)) {
								if (data40.length < 2) {
									const err72 = {
										instancePath: instancePath + "/compatibility/widenings/" + i6,
										schemaPath: "#/properties/compatibility/properties/widenings/items/minItems",
										keyword: "minItems",
										params: { limit: 2 },
										message: "must NOT have fewer than 2 items",
										schema: 2,
										parentSchema: schema31.properties.compatibility.properties.widenings.items,
										data: data40
									};
									if (vErrors === null) vErrors = [err72];
									else vErrors.push(err72);
									errors++;
								}
								const len6 = data40.length;
								for (let i7 = 0; i7 < len6; i7++) {
									let data41 = data40[i7];
									if (typeof data41 === "string") {
										if (func2(data41) < 1) {
											const err73 = {
												instancePath: instancePath + "/compatibility/widenings/" + i6 + "/" + i7,
												schemaPath: "#/properties/compatibility/properties/widenings/items/items/minLength",
												keyword: "minLength",
												params: { limit: 1 },
												message: "must NOT have fewer than 1 characters",
												schema: 1,
												parentSchema: schema31.properties.compatibility.properties.widenings.items.items,
												data: data41
											};
											if (vErrors === null) vErrors = [err73];
											else vErrors.push(err73);
											errors++;
										}
									} else {
										const err74 = {
											instancePath: instancePath + "/compatibility/widenings/" + i6 + "/" + i7,
											schemaPath: "#/properties/compatibility/properties/widenings/items/items/type",
											keyword: "type",
											params: { type: "string" },
											message: "must be string",
											schema: schema31.properties.compatibility.properties.widenings.items.items.type,
											parentSchema: schema31.properties.compatibility.properties.widenings.items.items,
											data: data41
										};
										if (vErrors === null) vErrors = [err74];
										else vErrors.push(err74);
										errors++;
									}
								}
							} else {
								const err75 = {
									instancePath: instancePath + "/compatibility/widenings/" + i6,
									schemaPath: "#/properties/compatibility/properties/widenings/items/type",
									keyword: "type",
									params: { type: "array" },
									message: "must be array",
									schema: schema31.properties.compatibility.properties.widenings.items.type,
									parentSchema: schema31.properties.compatibility.properties.widenings.items,
									data: data40
								};
								if (vErrors === null) vErrors = [err75];
								else vErrors.push(err75);
								errors++;
							}
						}
					} else {
						const err76 = {
							instancePath: instancePath + "/compatibility/widenings",
							schemaPath: "#/properties/compatibility/properties/widenings/type",
							keyword: "type",
							params: { type: "array" },
							message: "must be array",
							schema: schema31.properties.compatibility.properties.widenings.type,
							parentSchema: schema31.properties.compatibility.properties.widenings,
							data: data39
						};
						if (vErrors === null) vErrors = [err76];
						else vErrors.push(err76);
						errors++;
					}
				}
			} else {
				const err77 = {
					instancePath: instancePath + "/compatibility",
					schemaPath: "#/properties/compatibility/type",
					keyword: "type",
					params: { type: "object" },
					message: "must be object",
					schema: schema31.properties.compatibility.type,
					parentSchema: schema31.properties.compatibility,
					data: data33
				};
				if (vErrors === null) vErrors = [err77];
				else vErrors.push(err77);
				errors++;
			}
		}
		if (data.limits !== void 0) {
			let data42 = data.limits;
			if (data42 && typeof data42 == "object" && !Array.isArray(data42)) {
				for (const key7 in data42) if (!(key7 === "updates" || key7 === "deprecations" || key7 === "from")) {
					const err78 = {
						instancePath: instancePath + "/limits",
						schemaPath: "#/properties/limits/additionalProperties",
						keyword: "additionalProperties",
						params: { additionalProperty: key7 },
						message: "must NOT have additional properties",
						schema: false,
						parentSchema: schema31.properties.limits,
						data: data42
					};
					if (vErrors === null) vErrors = [err78];
					else vErrors.push(err78);
					errors++;
				}
				if (data42.updates !== void 0) {
					let data43 = data42.updates;
					const _errs91 = errors;
					let valid25 = false;
					const _errs92 = errors;
					if (!(typeof data43 == "number" && !(data43 % 1) && !isNaN(data43) && isFinite(data43))) {
						const err79 = {
							instancePath: instancePath + "/limits/updates",
							schemaPath: "#/properties/limits/properties/updates/anyOf/0/type",
							keyword: "type",
							params: { type: "integer" },
							message: "must be integer",
							schema: schema31.properties.limits.properties.updates.anyOf[0].type,
							parentSchema: schema31.properties.limits.properties.updates.anyOf[0],
							data: data43
						};
						if (vErrors === null) vErrors = [err79];
						else vErrors.push(err79);
						errors++;
					}
					if (typeof data43 == "number" && isFinite(data43)) {
						if (data43 < 0 || isNaN(data43)) {
							const err80 = {
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
								data: data43
							};
							if (vErrors === null) vErrors = [err80];
							else vErrors.push(err80);
							errors++;
						}
					}
					var _valid1 = _errs92 === errors;
					valid25 = valid25 || _valid1;
					const _errs94 = errors;
					if (typeof data43 === "string") {
						if (!pattern4.test(data43)) {
							const err81 = {
								instancePath: instancePath + "/limits/updates",
								schemaPath: "#/properties/limits/properties/updates/anyOf/1/pattern",
								keyword: "pattern",
								params: { pattern: "^\\d{1,3}(\\.\\d+)?%$" },
								message: "must match pattern \"^\\d{1,3}(\\.\\d+)?%$\"",
								schema: "^\\d{1,3}(\\.\\d+)?%$",
								parentSchema: schema31.properties.limits.properties.updates.anyOf[1],
								data: data43
							};
							if (vErrors === null) vErrors = [err81];
							else vErrors.push(err81);
							errors++;
						}
					} else {
						const err82 = {
							instancePath: instancePath + "/limits/updates",
							schemaPath: "#/properties/limits/properties/updates/anyOf/1/type",
							keyword: "type",
							params: { type: "string" },
							message: "must be string",
							schema: schema31.properties.limits.properties.updates.anyOf[1].type,
							parentSchema: schema31.properties.limits.properties.updates.anyOf[1],
							data: data43
						};
						if (vErrors === null) vErrors = [err82];
						else vErrors.push(err82);
						errors++;
					}
					var _valid1 = _errs94 === errors;
					valid25 = valid25 || _valid1;
					if (!valid25) {
						const err83 = {
							instancePath: instancePath + "/limits/updates",
							schemaPath: "#/properties/limits/properties/updates/anyOf",
							keyword: "anyOf",
							params: {},
							message: "must match a schema in anyOf",
							schema: schema31.properties.limits.properties.updates.anyOf,
							parentSchema: schema31.properties.limits.properties.updates,
							data: data43
						};
						if (vErrors === null) vErrors = [err83];
						else vErrors.push(err83);
						errors++;
					} else {
						errors = _errs91;
						if (vErrors !== null) {
							if (_errs91) vErrors.length = _errs91;
							else vErrors = null;
						}
					}
				}
				if (data42.deprecations !== void 0) {
					let data44 = data42.deprecations;
					const _errs98 = errors;
					let valid26 = false;
					const _errs99 = errors;
					if (!(typeof data44 == "number" && !(data44 % 1) && !isNaN(data44) && isFinite(data44))) {
						const err84 = {
							instancePath: instancePath + "/limits/deprecations",
							schemaPath: "#/properties/limits/properties/deprecations/anyOf/0/type",
							keyword: "type",
							params: { type: "integer" },
							message: "must be integer",
							schema: schema31.properties.limits.properties.deprecations.anyOf[0].type,
							parentSchema: schema31.properties.limits.properties.deprecations.anyOf[0],
							data: data44
						};
						if (vErrors === null) vErrors = [err84];
						else vErrors.push(err84);
						errors++;
					}
					if (typeof data44 == "number" && isFinite(data44)) {
						if (data44 < 0 || isNaN(data44)) {
							const err85 = {
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
								data: data44
							};
							if (vErrors === null) vErrors = [err85];
							else vErrors.push(err85);
							errors++;
						}
					}
					var _valid2 = _errs99 === errors;
					valid26 = valid26 || _valid2;
					const _errs101 = errors;
					if (typeof data44 === "string") {
						if (!pattern4.test(data44)) {
							const err86 = {
								instancePath: instancePath + "/limits/deprecations",
								schemaPath: "#/properties/limits/properties/deprecations/anyOf/1/pattern",
								keyword: "pattern",
								params: { pattern: "^\\d{1,3}(\\.\\d+)?%$" },
								message: "must match pattern \"^\\d{1,3}(\\.\\d+)?%$\"",
								schema: "^\\d{1,3}(\\.\\d+)?%$",
								parentSchema: schema31.properties.limits.properties.deprecations.anyOf[1],
								data: data44
							};
							if (vErrors === null) vErrors = [err86];
							else vErrors.push(err86);
							errors++;
						}
					} else {
						const err87 = {
							instancePath: instancePath + "/limits/deprecations",
							schemaPath: "#/properties/limits/properties/deprecations/anyOf/1/type",
							keyword: "type",
							params: { type: "string" },
							message: "must be string",
							schema: schema31.properties.limits.properties.deprecations.anyOf[1].type,
							parentSchema: schema31.properties.limits.properties.deprecations.anyOf[1],
							data: data44
						};
						if (vErrors === null) vErrors = [err87];
						else vErrors.push(err87);
						errors++;
					}
					var _valid2 = _errs101 === errors;
					valid26 = valid26 || _valid2;
					if (!valid26) {
						const err88 = {
							instancePath: instancePath + "/limits/deprecations",
							schemaPath: "#/properties/limits/properties/deprecations/anyOf",
							keyword: "anyOf",
							params: {},
							message: "must match a schema in anyOf",
							schema: schema31.properties.limits.properties.deprecations.anyOf,
							parentSchema: schema31.properties.limits.properties.deprecations,
							data: data44
						};
						if (vErrors === null) vErrors = [err88];
						else vErrors.push(err88);
						errors++;
					} else {
						errors = _errs98;
						if (vErrors !== null) {
							if (_errs98) vErrors.length = _errs98;
							else vErrors = null;
						}
					}
				}
				if (data42.from !== void 0) {
					let data45 = data42.from;
					if (!(typeof data45 == "number" && !(data45 % 1) && !isNaN(data45) && isFinite(data45))) {
						const err89 = {
							instancePath: instancePath + "/limits/from",
							schemaPath: "#/properties/limits/properties/from/type",
							keyword: "type",
							params: { type: "integer" },
							message: "must be integer",
							schema: schema31.properties.limits.properties.from.type,
							parentSchema: schema31.properties.limits.properties.from,
							data: data45
						};
						if (vErrors === null) vErrors = [err89];
						else vErrors.push(err89);
						errors++;
					}
					if (typeof data45 == "number" && isFinite(data45)) {
						if (data45 < 0 || isNaN(data45)) {
							const err90 = {
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
								data: data45
							};
							if (vErrors === null) vErrors = [err90];
							else vErrors.push(err90);
							errors++;
						}
					}
				}
			} else {
				const err91 = {
					instancePath: instancePath + "/limits",
					schemaPath: "#/properties/limits/type",
					keyword: "type",
					params: { type: "object" },
					message: "must be object",
					schema: schema31.properties.limits.type,
					parentSchema: schema31.properties.limits,
					data: data42
				};
				if (vErrors === null) vErrors = [err91];
				else vErrors.push(err91);
				errors++;
			}
		}
		if (data.protected !== void 0) {
			let data46 = data.protected;
			if (Array.isArray(data46)) {
				const len7 = data46.length;
				for (let i8 = 0; i8 < len7; i8++) {
					let data47 = data46[i8];
					if (typeof data47 === "string") {
						if (func2(data47) < 1) {
							const err92 = {
								instancePath: instancePath + "/protected/" + i8,
								schemaPath: "#/properties/protected/items/minLength",
								keyword: "minLength",
								params: { limit: 1 },
								message: "must NOT have fewer than 1 characters",
								schema: 1,
								parentSchema: schema31.properties.protected.items,
								data: data47
							};
							if (vErrors === null) vErrors = [err92];
							else vErrors.push(err92);
							errors++;
						}
					} else {
						const err93 = {
							instancePath: instancePath + "/protected/" + i8,
							schemaPath: "#/properties/protected/items/type",
							keyword: "type",
							params: { type: "string" },
							message: "must be string",
							schema: schema31.properties.protected.items.type,
							parentSchema: schema31.properties.protected.items,
							data: data47
						};
						if (vErrors === null) vErrors = [err93];
						else vErrors.push(err93);
						errors++;
					}
				}
			} else {
				const err94 = {
					instancePath: instancePath + "/protected",
					schemaPath: "#/properties/protected/type",
					keyword: "type",
					params: { type: "array" },
					message: "must be array",
					schema: schema31.properties.protected.type,
					parentSchema: schema31.properties.protected,
					data: data46
				};
				if (vErrors === null) vErrors = [err94];
				else vErrors.push(err94);
				errors++;
			}
		}
		if (data.allow !== void 0) {
			let data48 = data.allow;
			if (Array.isArray(data48)) {
				const len8 = data48.length;
				for (let i9 = 0; i9 < len8; i9++) {
					let data49 = data48[i9];
					if (data49 && typeof data49 == "object" && !Array.isArray(data49)) {
						if (data49.contract === void 0) {
							const err95 = {
								instancePath: instancePath + "/allow/" + i9,
								schemaPath: "#/properties/allow/items/required",
								keyword: "required",
								params: { missingProperty: "contract" },
								message: "must have required property 'contract'",
								schema: schema31.properties.allow.items.required,
								parentSchema: schema31.properties.allow.items,
								data: data49
							};
							if (vErrors === null) vErrors = [err95];
							else vErrors.push(err95);
							errors++;
						}
						if (data49.rule === void 0) {
							const err96 = {
								instancePath: instancePath + "/allow/" + i9,
								schemaPath: "#/properties/allow/items/required",
								keyword: "required",
								params: { missingProperty: "rule" },
								message: "must have required property 'rule'",
								schema: schema31.properties.allow.items.required,
								parentSchema: schema31.properties.allow.items,
								data: data49
							};
							if (vErrors === null) vErrors = [err96];
							else vErrors.push(err96);
							errors++;
						}
						if (data49.reason === void 0) {
							const err97 = {
								instancePath: instancePath + "/allow/" + i9,
								schemaPath: "#/properties/allow/items/required",
								keyword: "required",
								params: { missingProperty: "reason" },
								message: "must have required property 'reason'",
								schema: schema31.properties.allow.items.required,
								parentSchema: schema31.properties.allow.items,
								data: data49
							};
							if (vErrors === null) vErrors = [err97];
							else vErrors.push(err97);
							errors++;
						}
						for (const key8 in data49) if (!(key8 === "contract" || key8 === "rule" || key8 === "reason" || key8 === "until")) {
							const err98 = {
								instancePath: instancePath + "/allow/" + i9,
								schemaPath: "#/properties/allow/items/additionalProperties",
								keyword: "additionalProperties",
								params: { additionalProperty: key8 },
								message: "must NOT have additional properties",
								schema: false,
								parentSchema: schema31.properties.allow.items,
								data: data49
							};
							if (vErrors === null) vErrors = [err98];
							else vErrors.push(err98);
							errors++;
						}
						if (data49.contract !== void 0) {
							let data50 = data49.contract;
							if (typeof data50 === "string") {
								if (func2(data50) < 1) {
									const err99 = {
										instancePath: instancePath + "/allow/" + i9 + "/contract",
										schemaPath: "#/properties/allow/items/properties/contract/minLength",
										keyword: "minLength",
										params: { limit: 1 },
										message: "must NOT have fewer than 1 characters",
										schema: 1,
										parentSchema: schema31.properties.allow.items.properties.contract,
										data: data50
									};
									if (vErrors === null) vErrors = [err99];
									else vErrors.push(err99);
									errors++;
								}
							} else {
								const err100 = {
									instancePath: instancePath + "/allow/" + i9 + "/contract",
									schemaPath: "#/properties/allow/items/properties/contract/type",
									keyword: "type",
									params: { type: "string" },
									message: "must be string",
									schema: schema31.properties.allow.items.properties.contract.type,
									parentSchema: schema31.properties.allow.items.properties.contract,
									data: data50
								};
								if (vErrors === null) vErrors = [err100];
								else vErrors.push(err100);
								errors++;
							}
						}
						if (data49.rule !== void 0) {
							let data51 = data49.rule;
							if (!(data51 === "column-removed" || data51 === "column-renamed" || data51 === "type-changed" || data51 === "type-narrowed" || data51 === "length-shortened" || data51 === "required-dropped" || data51 === "unique-dropped" || data51 === "sla-worsened" || data51 === "contract-emptied" || data51 === "type-widened" || data51 === "length-extended" || data51 === "semantics-rule-removed" || data51 === "semantics-rule-disabled" || data51 === "owners-emptied" || data51 === "unique-added" || data51 === "column-added" || data51 === "required-added" || data51 === "semantics-rule-added" || data51 === "description-changed" || data51 === "order-changed" || data51 === "tags-changed" || data51 === "other-changed")) {
								const err101 = {
									instancePath: instancePath + "/allow/" + i9 + "/rule",
									schemaPath: "#/properties/allow/items/properties/rule/enum",
									keyword: "enum",
									params: { allowedValues: schema31.properties.allow.items.properties.rule.enum },
									message: "must be equal to one of the allowed values",
									schema: schema31.properties.allow.items.properties.rule.enum,
									parentSchema: schema31.properties.allow.items.properties.rule,
									data: data51
								};
								if (vErrors === null) vErrors = [err101];
								else vErrors.push(err101);
								errors++;
							}
						}
						if (data49.reason !== void 0) {
							let data52 = data49.reason;
							if (typeof data52 === "string") {
								if (func2(data52) < 1) {
									const err102 = {
										instancePath: instancePath + "/allow/" + i9 + "/reason",
										schemaPath: "#/properties/allow/items/properties/reason/minLength",
										keyword: "minLength",
										params: { limit: 1 },
										message: "must NOT have fewer than 1 characters",
										schema: 1,
										parentSchema: schema31.properties.allow.items.properties.reason,
										data: data52
									};
									if (vErrors === null) vErrors = [err102];
									else vErrors.push(err102);
									errors++;
								}
							} else {
								const err103 = {
									instancePath: instancePath + "/allow/" + i9 + "/reason",
									schemaPath: "#/properties/allow/items/properties/reason/type",
									keyword: "type",
									params: { type: "string" },
									message: "must be string",
									schema: schema31.properties.allow.items.properties.reason.type,
									parentSchema: schema31.properties.allow.items.properties.reason,
									data: data52
								};
								if (vErrors === null) vErrors = [err103];
								else vErrors.push(err103);
								errors++;
							}
						}
						if (data49.until !== void 0) {
							let data53 = data49.until;
							if (typeof data53 === "string") {
								if (!pattern6.test(data53)) {
									const err104 = {
										instancePath: instancePath + "/allow/" + i9 + "/until",
										schemaPath: "#/properties/allow/items/properties/until/pattern",
										keyword: "pattern",
										params: { pattern: "^\\d{4}-\\d{2}-\\d{2}$" },
										message: "must match pattern \"^\\d{4}-\\d{2}-\\d{2}$\"",
										schema: "^\\d{4}-\\d{2}-\\d{2}$",
										parentSchema: schema31.properties.allow.items.properties.until,
										data: data53
									};
									if (vErrors === null) vErrors = [err104];
									else vErrors.push(err104);
									errors++;
								}
							} else {
								const err105 = {
									instancePath: instancePath + "/allow/" + i9 + "/until",
									schemaPath: "#/properties/allow/items/properties/until/type",
									keyword: "type",
									params: { type: "string" },
									message: "must be string",
									schema: schema31.properties.allow.items.properties.until.type,
									parentSchema: schema31.properties.allow.items.properties.until,
									data: data53
								};
								if (vErrors === null) vErrors = [err105];
								else vErrors.push(err105);
								errors++;
							}
						}
					} else {
						const err106 = {
							instancePath: instancePath + "/allow/" + i9,
							schemaPath: "#/properties/allow/items/type",
							keyword: "type",
							params: { type: "object" },
							message: "must be object",
							schema: schema31.properties.allow.items.type,
							parentSchema: schema31.properties.allow.items,
							data: data49
						};
						if (vErrors === null) vErrors = [err106];
						else vErrors.push(err106);
						errors++;
					}
				}
			} else {
				const err107 = {
					instancePath: instancePath + "/allow",
					schemaPath: "#/properties/allow/type",
					keyword: "type",
					params: { type: "array" },
					message: "must be array",
					schema: schema31.properties.allow.type,
					parentSchema: schema31.properties.allow,
					data: data48
				};
				if (vErrors === null) vErrors = [err107];
				else vErrors.push(err107);
				errors++;
			}
		}
		if (data.ignore !== void 0) {
			let data54 = data.ignore;
			if (Array.isArray(data54)) {
				const len9 = data54.length;
				for (let i10 = 0; i10 < len9; i10++) {
					let data55 = data54[i10];
					if (typeof data55 === "string") {
						if (!pattern7.test(data55)) {
							const err108 = {
								instancePath: instancePath + "/ignore/" + i10,
								schemaPath: "#/properties/ignore/items/pattern",
								keyword: "pattern",
								params: { pattern: "^/" },
								message: "must match pattern \"^/\"",
								schema: "^/",
								parentSchema: schema31.properties.ignore.items,
								data: data55
							};
							if (vErrors === null) vErrors = [err108];
							else vErrors.push(err108);
							errors++;
						}
					} else {
						const err109 = {
							instancePath: instancePath + "/ignore/" + i10,
							schemaPath: "#/properties/ignore/items/type",
							keyword: "type",
							params: { type: "string" },
							message: "must be string",
							schema: schema31.properties.ignore.items.type,
							parentSchema: schema31.properties.ignore.items,
							data: data55
						};
						if (vErrors === null) vErrors = [err109];
						else vErrors.push(err109);
						errors++;
					}
				}
			} else {
				const err110 = {
					instancePath: instancePath + "/ignore",
					schemaPath: "#/properties/ignore/type",
					keyword: "type",
					params: { type: "array" },
					message: "must be array",
					schema: schema31.properties.ignore.type,
					parentSchema: schema31.properties.ignore,
					data: data54
				};
				if (vErrors === null) vErrors = [err110];
				else vErrors.push(err110);
				errors++;
			}
		}
		if (data.patch !== void 0) {
			let data56 = data.patch;
			if (data56 && typeof data56 == "object" && !Array.isArray(data56)) {
				for (const key9 in data56) if (!(key9 === "operations" || key9 === "moves" || key9 === "unordered" || key9 === "keys")) {
					const err111 = {
						instancePath: instancePath + "/patch",
						schemaPath: "#/properties/patch/additionalProperties",
						keyword: "additionalProperties",
						params: { additionalProperty: key9 },
						message: "must NOT have additional properties",
						schema: false,
						parentSchema: schema31.properties.patch,
						data: data56
					};
					if (vErrors === null) vErrors = [err111];
					else vErrors.push(err111);
					errors++;
				}
				if (data56.operations !== void 0) {
					let data57 = data56.operations;
					if (!(data57 === "rfc6902" || data57 === "documented")) {
						const err112 = {
							instancePath: instancePath + "/patch/operations",
							schemaPath: "#/properties/patch/properties/operations/enum",
							keyword: "enum",
							params: { allowedValues: schema31.properties.patch.properties.operations.enum },
							message: "must be equal to one of the allowed values",
							schema: schema31.properties.patch.properties.operations.enum,
							parentSchema: schema31.properties.patch.properties.operations,
							data: data57
						};
						if (vErrors === null) vErrors = [err112];
						else vErrors.push(err112);
						errors++;
					}
				}
				if (data56.moves !== void 0) {
					let data58 = data56.moves;
					if (typeof data58 !== "boolean") {
						const err113 = {
							instancePath: instancePath + "/patch/moves",
							schemaPath: "#/properties/patch/properties/moves/type",
							keyword: "type",
							params: { type: "boolean" },
							message: "must be boolean",
							schema: schema31.properties.patch.properties.moves.type,
							parentSchema: schema31.properties.patch.properties.moves,
							data: data58
						};
						if (vErrors === null) vErrors = [err113];
						else vErrors.push(err113);
						errors++;
					}
				}
				if (data56.unordered !== void 0) {
					let data59 = data56.unordered;
					if (Array.isArray(data59)) {
						const len10 = data59.length;
						for (let i11 = 0; i11 < len10; i11++) {
							let data60 = data59[i11];
							if (typeof data60 === "string") {
								if (func2(data60) < 1) {
									const err114 = {
										instancePath: instancePath + "/patch/unordered/" + i11,
										schemaPath: "#/properties/patch/properties/unordered/items/minLength",
										keyword: "minLength",
										params: { limit: 1 },
										message: "must NOT have fewer than 1 characters",
										schema: 1,
										parentSchema: schema31.properties.patch.properties.unordered.items,
										data: data60
									};
									if (vErrors === null) vErrors = [err114];
									else vErrors.push(err114);
									errors++;
								}
							} else {
								const err115 = {
									instancePath: instancePath + "/patch/unordered/" + i11,
									schemaPath: "#/properties/patch/properties/unordered/items/type",
									keyword: "type",
									params: { type: "string" },
									message: "must be string",
									schema: schema31.properties.patch.properties.unordered.items.type,
									parentSchema: schema31.properties.patch.properties.unordered.items,
									data: data60
								};
								if (vErrors === null) vErrors = [err115];
								else vErrors.push(err115);
								errors++;
							}
						}
					} else {
						const err116 = {
							instancePath: instancePath + "/patch/unordered",
							schemaPath: "#/properties/patch/properties/unordered/type",
							keyword: "type",
							params: { type: "array" },
							message: "must be array",
							schema: schema31.properties.patch.properties.unordered.type,
							parentSchema: schema31.properties.patch.properties.unordered,
							data: data59
						};
						if (vErrors === null) vErrors = [err116];
						else vErrors.push(err116);
						errors++;
					}
				}
				if (data56.keys !== void 0) {
					let data61 = data56.keys;
					if (data61 && typeof data61 == "object" && !Array.isArray(data61)) for (const key10 in data61) {
						let data62 = data61[key10];
						if (Array.isArray(data62)) {
							if (data62.length < 1) {
								const err117 = {
									instancePath: instancePath + "/patch/keys/" + key10.replace(/~/g, "~0").replace(/\//g, "~1"),
									schemaPath: "#/properties/patch/properties/keys/additionalProperties/minItems",
									keyword: "minItems",
									params: { limit: 1 },
									message: "must NOT have fewer than 1 items",
									schema: 1,
									parentSchema: schema31.properties.patch.properties.keys.additionalProperties,
									data: data62
								};
								if (vErrors === null) vErrors = [err117];
								else vErrors.push(err117);
								errors++;
							}
							const len11 = data62.length;
							for (let i12 = 0; i12 < len11; i12++) {
								let data63 = data62[i12];
								if (typeof data63 === "string") {
									if (func2(data63) < 1) {
										const err118 = {
											instancePath: instancePath + "/patch/keys/" + key10.replace(/~/g, "~0").replace(/\//g, "~1") + "/" + i12,
											schemaPath: "#/properties/patch/properties/keys/additionalProperties/items/minLength",
											keyword: "minLength",
											params: { limit: 1 },
											message: "must NOT have fewer than 1 characters",
											schema: 1,
											parentSchema: schema31.properties.patch.properties.keys.additionalProperties.items,
											data: data63
										};
										if (vErrors === null) vErrors = [err118];
										else vErrors.push(err118);
										errors++;
									}
								} else {
									const err119 = {
										instancePath: instancePath + "/patch/keys/" + key10.replace(/~/g, "~0").replace(/\//g, "~1") + "/" + i12,
										schemaPath: "#/properties/patch/properties/keys/additionalProperties/items/type",
										keyword: "type",
										params: { type: "string" },
										message: "must be string",
										schema: schema31.properties.patch.properties.keys.additionalProperties.items.type,
										parentSchema: schema31.properties.patch.properties.keys.additionalProperties.items,
										data: data63
									};
									if (vErrors === null) vErrors = [err119];
									else vErrors.push(err119);
									errors++;
								}
							}
						} else {
							const err120 = {
								instancePath: instancePath + "/patch/keys/" + key10.replace(/~/g, "~0").replace(/\//g, "~1"),
								schemaPath: "#/properties/patch/properties/keys/additionalProperties/type",
								keyword: "type",
								params: { type: "array" },
								message: "must be array",
								schema: schema31.properties.patch.properties.keys.additionalProperties.type,
								parentSchema: schema31.properties.patch.properties.keys.additionalProperties,
								data: data62
							};
							if (vErrors === null) vErrors = [err120];
							else vErrors.push(err120);
							errors++;
						}
					}
					else {
						const err121 = {
							instancePath: instancePath + "/patch/keys",
							schemaPath: "#/properties/patch/properties/keys/type",
							keyword: "type",
							params: { type: "object" },
							message: "must be object",
							schema: schema31.properties.patch.properties.keys.type,
							parentSchema: schema31.properties.patch.properties.keys,
							data: data61
						};
						if (vErrors === null) vErrors = [err121];
						else vErrors.push(err121);
						errors++;
					}
				}
			} else {
				const err122 = {
					instancePath: instancePath + "/patch",
					schemaPath: "#/properties/patch/type",
					keyword: "type",
					params: { type: "object" },
					message: "must be object",
					schema: schema31.properties.patch.type,
					parentSchema: schema31.properties.patch,
					data: data56
				};
				if (vErrors === null) vErrors = [err122];
				else vErrors.push(err122);
				errors++;
			}
		}
	} else {
		const err123 = {
			instancePath,
			schemaPath: "#/type",
			keyword: "type",
			params: { type: "object" },
			message: "must be object",
			schema: schema31.type,
			parentSchema: schema31,
			data
		};
		if (vErrors === null) vErrors = [err123];
		else vErrors.push(err123);
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
const settingNames = {
	catalog: true,
	auth: true,
	contracts: true,
	lifecycle: true,
	scope: true,
	unmanaged: true,
	missing: true,
	compatibility: true,
	limits: true,
	protected: true,
	allow: true,
	ignore: true,
	patch: true
};
function readConfigFile(folder, name) {
	const read = readText$2(name, folder, Object.keys(settingNames));
	if ("problem" in read) throw unusable$2([read.problem]);
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
	if (all.length > 0) throw unusable$2(all.map((finding) => toDiagnostic(name, yaml.lines, finding)));
	const source = {
		file: name,
		text: read.text,
		index: 0
	};
	const locate = createLocator();
	return {
		settings: withPlainUrls(fields ?? {}),
		locate: (pointer) => locate(source, pointer)
	};
}
function withPlainUrls(settings) {
	const { catalog, auth } = settings;
	return {
		...settings,
		...catalog?.url !== void 0 && { catalog: {
			...catalog,
			url: withoutSecrets(catalog.url)
		} },
		...auth?.issuer !== void 0 && { auth: {
			...auth,
			issuer: withoutSecrets(auth.issuer)
		} }
	};
}
function unusable$2(diagnostics) {
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
function configProblems(document) {
	if (validate(document)) return [];
	return (validate.errors ?? []).flatMap(describe);
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
	missing: "error",
	protected: [],
	limits: defaultLimits,
	patterns: []
};
function writtenPatterns({ settings, locate }) {
	const { protected: unchangeable = [], scope = [], allow = [], ignore = [], patch } = settings;
	const named = (setting, text, pointer) => ({
		kind: "name",
		setting,
		text,
		pattern: parseNamePattern(text),
		source: locate(pointer)
	});
	return [
		...unchangeable.map((text, index) => named("protected", text, ["protected", String(index)])),
		...scope.map((text, index) => named("scope", text, ["scope", String(index)])),
		...allow.map(({ contract }, index) => named("allow", contract, [
			"allow",
			String(index),
			"contract"
		])),
		...ignore.flatMap((text, index) => {
			const pattern = parsePattern(text);
			const source = locate(["ignore", String(index)]);
			return pattern ? [{
				kind: "pointer",
				setting: "ignore",
				text,
				pattern,
				source
			}] : [];
		}),
		...Object.entries(patch?.keys ?? {}).map(([text, members]) => {
			return {
				kind: "key",
				setting: "patch.keys",
				text,
				members,
				source: locate([
					"patch",
					"keys",
					text
				])
			};
		})
	];
}
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
		scope: resolveNames(settings.scope, ["scope"], refuse),
		unmanaged: resolveUnmanaged(file, lifecycle, refuse),
		missing: settings.missing ?? defaultRules.missing,
		protected: resolveNames(settings.protected, ["protected"], refuse),
		limits: resolveLimits(settings, refuse),
		patterns: writtenPatterns(file)
	};
	if (problems.length > 0) throw unusable$2(problems);
	return rules;
}
function resolveNames(names = [], at, refuse) {
	return names.map((name, index) => resolveName(name, [...at, String(index)], refuse));
}
function resolveName(text, pointer, refuse) {
	const complaint = complainAboutPattern(text);
	if (complaint !== void 0) refuse(pointer, `The pattern ${quote$1(text)} ${complaint}.`, "Use * for any text within a segment and ** for any number of segments; or list several patterns.");
	return parseNamePattern(text);
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
		if (!isReason(exception.reason)) {
			const message = `The reason ${quote$1(exception.reason)} says nothing.`;
			refuse([...pointer, "reason"], message, reasonHint);
		}
		return {
			...exception,
			contract: resolveName(contract, [...pointer, "contract"], refuse),
			...until !== void 0 && { until },
			expired: until !== void 0 && until < today,
			source: locate(pointer)
		};
	});
}
const reasonHint = "Say who agreed to it and why: `agreed with finance, DATA-812`. A reason has at least four different letters or digits, and does not begin with todo, tbd or fixme.";
function isReason(text) {
	return new Set(text.toLowerCase().match(/[\p{L}\p{N}]/gu)).size >= 4 && !/^\P{L}*(?:todo|tbd|fixme)\b/iu.test(text);
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
const mostThrottledSeconds = 86400;
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
		timeoutMs: 1e3 * (seconds("--timeout", flags.timeout, mostTimeoutSeconds) ?? catalog.timeoutSeconds ?? 30),
		timeoutThrottledMs: 1e3 * (seconds("--timeout-throttled", flags.timeoutThrottled, mostThrottledSeconds) ?? catalog.timeoutThrottledSeconds ?? 600)
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
		locateGlob: (glob) => locateGlob(glob, file),
		rules: resolveRules(file, today),
		auth
	};
}
function locateGlob(glob, { settings: { contracts = {} }, locate }) {
	const key = contracts.include?.includes(glob) ? "include" : "exclude";
	const index = contracts[key]?.indexOf(glob) ?? -1;
	return index < 0 ? void 0 : locate([
		"contracts",
		key,
		String(index)
	]);
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
	const given = sources.find((source) => source !== void 0 && source !== "");
	if (given === void 0) throw new ConfigError("no-catalog-url", "The catalog URL is not set.", { hint: "Give --catalog-url, set CONTRACT_SYNC_URL, or write catalog.url in contract-sync.yaml." });
	const text = withoutSecrets(given);
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
function seconds(flag, text, most) {
	if (text === void 0) return void 0;
	const value = /^\d+(?:\.\d+)?$/u.test(text) ? Number(text) : 0;
	if (value > 0 && value <= most) return value;
	throw new ConfigError("invalid-flag", `${flag} takes seconds above 0 and up to ${most}, not ${JSON.stringify(text)}.`);
}
async function validateFiles({ folder: root, paths }, config) {
	const settings = resolveFileConfig(config === void 0 ? {} : { config }, root);
	const { exclude, locateGlob: locate, rules } = settings;
	const include = paths.length > 0 ? paths : settings.include;
	const { statuses } = rules.lifecycle;
	const checked = await checkContracts({
		root,
		include,
		exclude,
		locate
	}, { statuses }, openFilesAhead);
	return makeValidation(checked.diagnostics, checked.fileCount, checked.contractCount);
}
function describeOutcomes(applied) {
	const outcomes = applied.outcomes.map(describeOutcome);
	const counts = Object.entries(applied.summary);
	return {
		verdict: outcomesVerdict(applied),
		counts: inWords(counts.filter(([result, of]) => result === "applied" || of > 0)),
		outcomes,
		byNeed: outcomes.toSorted((a, b) => need(a.result) - need(b.result))
	};
}
function outcomesVerdict({ summary, planHash }) {
	const counts = Object.entries(summary).filter(([, of]) => of > 0);
	if (counts.length > 0) return inWords(counts.toSorted(([a], [b]) => need(a) - need(b)));
	return planHash === void 0 ? "nothing was applied" : "nothing to apply";
}
function inWords(counts) {
	return counts.map(([result, of]) => `${of} ${result}`).join(", ");
}
const gravities = {
	failed: "error",
	unverified: "warning",
	stale: "warning",
	skipped: "warning",
	applied: "good",
	unchanged: "good"
};
function need(result) {
	return Object.keys(gravities).indexOf(result);
}
function describeOutcome(outcome) {
	const { result, fullyQualifiedName, id, changeDescription } = outcome;
	const updated = changeDescription?.["fieldsUpdated"];
	return {
		...outcome,
		label: fullyQualifiedName ?? id,
		gravity: gravities[result],
		account: isArray(updated) ? updated.filter(isObject$1).map(describeField) : []
	};
}
function describeField({ name = null, oldValue = null, newValue = null }) {
	return {
		field: typeof name === "string" ? name : JSON.stringify(name),
		change: `${JSON.stringify(oldValue)} → ${JSON.stringify(newValue)}`
	};
}
function describeComparison({ contracts }) {
	return contracts.map((contract) => ({
		sign: signs$2[contract.kind],
		label: contractLabel(contract),
		verdict: comparisonVerdict(contract),
		operations: contract.kind === "landed" ? [] : contract.operations.flatMap(splitChange)
	}));
}
const signs$2 = {
	landed: "good",
	new: "added",
	gone: "removed",
	moved: "changed",
	changed: "changed",
	same: "same"
};
function comparisonVerdict(contract) {
	const { kind, approvedVersion = "unknown", proposedVersion = "unknown" } = contract;
	switch (kind) {
		case "landed": return "has landed already";
		case "new": return "was not in the reviewed plan";
		case "gone": return "was reviewed, and nothing is to be done any more";
		case "moved":
		case "changed": {
			const change = kind === "moved" ? "the same operations" : "other operations";
			return approvedVersion === proposedVersion ? change : `${change}, and version ${approvedVersion} is now ${proposedVersion}`;
		}
	}
}
function splitChange(compared) {
	const { kind, operation } = compared;
	if (kind !== "changed") return [{
		sign: signs$2[kind],
		operation
	}];
	return [{
		sign: "removed",
		operation: compared.approved
	}, {
		sign: "added",
		operation
	}];
}
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
		return planHash(contracts) === hash ? makePlan$1(catalogUrl, contracts, []) : void 0;
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
	guard: [],
	changes: [],
	target: {},
	problems: []
};
async function putComment(github, pull, comment, { mode, worthCreating }) {
	const body = bodyOf(comment);
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
	return keepOldest(github, pull, created, comment);
}
function bodyOf({ header, markdown }) {
	return `${formatHeader(header)}\n${markdown}`;
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
	return bodyOf({
		header: {
			...header,
			run,
			attempt
		},
		markdown
	}).trim() === old.body.replaceAll("\r\n", "\n").trim();
}
async function remove(github, comments) {
	for (const { id } of comments) await github.deleteComment(id);
}
async function keepOldest(github, pull, created, comment) {
	const [oldest] = await findComments(github, pull, comment.header.key);
	if (!oldest || oldest.id === created.id) return "created";
	await github.deleteComment(created.id);
	if (isNewer(oldest.header, comment.header)) return "newer";
	await github.updateComment(oldest.id, bodyOf(comment));
	return "updated";
}
function completeEffects(given = {}) {
	return {
		...systemEffects,
		timeoutMs: 3e4,
		redactor: createRedactor(),
		warn: () => void 0,
		log: () => void 0,
		...given
	};
}
var IssuerError = class extends SyncError {
	name = "IssuerError";
	transient;
	retryAfterMs;
	reason;
	constructor(code, message, facts = {}) {
		super(code, message, facts);
		this.transient = facts.transient ?? false;
		this.retryAfterMs = facts.retryAfterMs;
		this.reason = facts.reason;
	}
};
function toIssuerError(answer, client, now) {
	if (answer.status >= 500 || answer.status === 429) return failed(answer, client, now);
	const body = parseJson$2(answer.text);
	const { error: reason, error_description: words } = isObject$1(body) ? body : {};
	if (typeof reason !== "string") return unexpected(answer, client);
	const { code, complaint, hint } = meaningOf(reason, client);
	return new IssuerError(code, `${complaint} (${oneLine((typeof words === "string" ? `${reason}: ${words}` : reason).trimEnd().replace(/\.$/u, ""))}).`, {
		hint: skewHint(answer, now) ?? hint,
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
function skewHint({ headers }, now) {
	const skew = Date.parse(headers.get("date") ?? "") - now;
	if (!(Math.abs(skew) >= noticeableSkew)) return void 0;
	return `The clock of this machine is ${Math.round(Math.abs(skew) / 1e3)} seconds ${skew > 0 ? "behind" : "ahead of"} that of the issuer: set it, since what is signed here is valid for minutes.`;
}
function failed({ status, headers, url }, { issuer }, now) {
	return new IssuerError("issuer-failed", `The issuer ${issuer} failed (${url.pathname}, status ${status}).`, {
		hint: "Try again later; if it stays so, ask its operators.",
		transient: true,
		retryAfterMs: parseRetryAfter(headers.get("retry-after"), now)
	});
}
function unexpected({ url, status }, { issuer }) {
	return new IssuerError("issuer-unexpected", url.pathname.includes("/.well-known/") ? `There is no OpenID issuer at ${issuer}: ${url.href} answers with status ${status}.` : `The issuer ${issuer} answers with status ${status} and no reason (${url.pathname}).`, { hint: "Check the issuer: it is what the discovery document calls \"issuer\", path included." });
}
function createIssuerFetch(client, effects) {
	return async (address, { method, headers: sent, body = null }) => {
		const url = new URL(address);
		if (!isProtected(url)) throw insecure(url, client);
		const reply = await sendRequest({
			method,
			url,
			headers: sent,
			body,
			redirect: "manual"
		}, effects);
		if ("fault" in reply) throw unanswered(reply.fault, url, client, effects.timeoutMs);
		const { status, headers } = reply.answer;
		const text = bodyText(reply.answer);
		if (status >= 200 && status < 300) return new Response(text || null, {
			status,
			headers
		});
		throw toIssuerError({
			url,
			status,
			headers,
			text: effects.redactor.redact(text)
		}, client, effects.now());
	};
}
function insecure({ host }, { issuer }) {
	return new IssuerError("insecure-endpoint", `The issuer ${issuer} wants secrets to be sent unencrypted to ${host}.`, { hint: "Its discovery document must name https addresses." });
}
function unanswered({ kind, message, cause }, { host }, { issuer }, timeoutMs) {
	if (kind === "timeout") return new IssuerError("issuer-timeout", `The issuer ${issuer} did not answer within ${timeoutMs / 1e3} seconds.`, {
		hint: "Allow more with --timeout.",
		transient: true
	});
	return new IssuerError("issuer-unreachable", kind === "unknown-host" ? `There is no host named ${host}, where the issuer ${issuer} should be.` : `No connection to the issuer ${issuer} could be made: ${message}.`, {
		hint: "Check the issuer, VPN, firewall and HTTPS_PROXY.",
		transient: ![
			"unknown-host",
			"no-tls",
			"untrusted"
		].includes(kind),
		cause
	});
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
	if (typeof input === "string") return encoder.encode(input);
	return decoder$1.decode(input);
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
var USER_AGENT$1, ERR_INVALID_ARG_VALUE$1, ERR_INVALID_ARG_TYPE$1, allowInsecureRequests$1, clockSkew$1, clockTolerance$1, customFetch$1, modifyAssertion$1, jweDecrypt, jwksCache, encoder, decoder$1, encodeBase64Url, decodeBase64Url, UnsupportedOperationError, OperationProcessingError, jwkCache, URLParse, DPoPHandler, ResponseBodyError, AuthorizationResponseError, WWWAuthenticateChallengeError, schemeRE, quotedParamRE, unquotedParamRE, token68ParamRE, jwksMap, jwksRequests, jwksKeys, skipSubjectCheck$1, idTokenClaims, jwtRefs, branded, nopkce, jwtClaimNames, expectNoNonce, skipAuthTimeCheck, WWW_AUTHENTICATE_CHALLENGE, RESPONSE_BODY_ERROR, UNSUPPORTED_OPERATION, AUTHORIZATION_RESPONSE_ERROR, JWT_USERINFO_EXPECTED, PARSE_ERROR, INVALID_RESPONSE, RESPONSE_IS_NOT_JSON, RESPONSE_IS_NOT_CONFORM, HTTP_REQUEST_FORBIDDEN, REQUEST_PROTOCOL_FORBIDDEN, JWT_TIMESTAMP_CHECK, JWT_CLAIM_COMPARISON, JSON_ATTRIBUTE_COMPARISON, KEY_SELECTION, MISSING_SERVER_METADATA, INVALID_SERVER_METADATA, skipStateCheck$1, expectNoState, _nodiscoverycheck, _expectedIssuer;
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
	encoder = new TextEncoder();
	decoder$1 = new TextDecoder();
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
async function prepareKey(entry, key, usage) {
	const { alg, secret } = entry, requiresPrivateKey = usage === "decrypt" || usage === "sign";
	if (secret && key instanceof Uint8Array) return key;
	let normalized, keyObject;
	if (isObject(key)) {
		if (normalized = normalizeJwk(key), typeof normalized.kty != "string") throw invalidKeyType(alg, key, secret);
		if (!(secret ? normalized.kty === "oct" && typeof normalized.k == "string" : normalized.kty !== "oct" && (requiresPrivateKey ? normalized.kty === "AKP" && typeof normalized.priv == "string" || typeof normalized.d == "string" : normalized.d === void 0 && normalized.priv === void 0))) throw new TypeError(secret ? "JSON Web Key for symmetric algorithms must have JWK \"kty\" (Key Type) equal to \"oct\" and the JWK \"k\" (Key Value) present" : `JSON Web Key for this operation must be a ${requiresPrivateKey ? "private" : "public"} JWK`);
		if (jwkMatchesOp(entry, normalized, usage), normalized.kty === "oct") return decode$1(normalized.k);
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
	if (algorithm.name !== expected.name) throw unusable$1(expected.name);
	if (expected.hash && algorithm.hash?.name !== expected.hash) throw unusable$1(expected.hash, "algorithm.hash");
	if (expected.namedCurve && algorithm.namedCurve !== expected.namedCurve) throw unusable$1(expected.namedCurve, "algorithm.namedCurve");
	if (expected.length !== void 0 && algorithm.length !== expected.length) throw unusable$1(expected.length, "algorithm.length");
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
function validateExtractableOption(extractable) {
	if (extractable !== void 0 && typeof extractable != "boolean") throw new TypeError("\"extractable\" option must be a boolean");
	return extractable;
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
var tag, jwkMatchesOp, cache, nist, isCryptoKey, isKeyObject, isKeyLike, invalidKeyInput, unusable$1;
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
	unusable$1 = (name, prop = "algorithm.name") => new TypeError(`CryptoKey does not support this operation, its ${prop} must be ${name}`);
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
function table$1(entries) {
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
	JWE = table$1({
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
	ENC = table$1({
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
	if (jwe instanceof Uint8Array && (jwe = decoder$2.decode(jwe)), typeof jwe != "string") throw new JWEInvalid("Compact JWE must be a string or Uint8Array");
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
const unproven = ({ None }) => None();
function openIssuer(client, authenticate, effects) {
	let opened;
	const call = async (request) => {
		opened ??= discover(client, authenticate, effects);
		opened.catch(() => {
			opened = void 0;
		});
		const ready = await opened;
		return persist(client, effects, () => request(ready));
	};
	return {
		grant: ({ type, parameters }) => call(async ({ openId, configuration }) => {
			const asked = effects.now();
			const answer = await openId.genericGrantRequest(configuration, type, await parameters());
			warnOfScope(client, answer, effects);
			return issuedBy(answer, asked, effects);
		}),
		authorizeDevice: () => call(({ openId, configuration }) => openId.initiateDeviceAuthorization(configuration, client.access)),
		revoke: (token) => call(async ({ openId, configuration }) => {
			if (configuration.serverMetadata().revocation_endpoint === void 0) return false;
			await openId.tokenRevocation(configuration, token);
			return true;
		})
	};
}
async function discover(client, authenticate, effects) {
	const { issuer, clientId } = client;
	const openId = await Promise.resolve().then(() => (init_build(), build_exports));
	const proof = await authenticate(openId);
	const options = {
		execute: [openId.allowInsecureRequests],
		[openId.customFetch]: createIssuerFetch(client, effects)
	};
	return {
		openId,
		configuration: await persist(client, effects, () => openId.discovery(new URL(issuer), clientId, void 0, proof, options))
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
async function persist(client, effects, request) {
	const attempt = () => request().then((value) => ({ value }), (error) => ({ fault: ourOwn(error) ?? nonconforming(client, error) }));
	const result = await retry$1(attempt, effects, effects.log);
	if ("fault" in result) throw result.fault;
	return result.value;
}
function ourOwn(error) {
	if (error instanceof SyncError) return error;
	return error instanceof Error ? ourOwn(error.cause) : void 0;
}
function nonconforming({ issuer }, error) {
	const { code, message } = error instanceof Error ? error : new Error(String(error));
	return code === "OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED" ? new IssuerError("issuer-mismatch", `The discovery document of ${issuer} belongs to another issuer.`, { hint: "Write the issuer as its discovery document does, to the last slash." }) : new IssuerError("issuer-unexpected", `The issuer ${issuer} answers with what no OpenID issuer does: ${message}.`, { hint: "Check the issuer, and whether a login page or proxy stands in front of it." });
}
async function renewLogin(client, { store, redactor, now }, issuer, rejected) {
	const login = store.load(client);
	if (!login) throw loginNeeded(client, "You are not logged in");
	for (const token of [login.accessToken, login.refreshToken]) if (token !== void 0) redactor.hide(token);
	if ((login.expiresAt === void 0 || login.expiresAt - now() > spare) && login.accessToken !== rejected) return login;
	return refresh(client, issuer, store, login.refreshToken);
}
const spare = 3e4;
async function refresh(client, issuer, store, refreshToken) {
	if (refreshToken === void 0) throw loginNeeded(client, "Your login has ended");
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
		await store.save(client, login);
		return login;
	} catch (error) {
		if (!(error instanceof IssuerError) || error.reason !== "invalid_grant") throw error;
		const login = store.load(client);
		if (login && login.refreshToken !== refreshToken) return login;
		throw loginNeeded(client, "Your login has ended");
	}
}
function loginNeeded({ issuer, clientId }, complaint) {
	return new ConfigError("login-needed", `${complaint} at ${issuer} for the client ${clientId}.`, { hint: "Run: contract-sync login" });
}
function hmac(bits) {
	const subtle = {
		name: "HMAC",
		hash: `SHA-${bits}`
	};
	return {
		kty: ["oct"],
		secret: !0,
		subtle,
		signing: subtle,
		usages: sig
	};
}
function rsa(bits, saltLength) {
	const subtle = {
		name: saltLength ? "RSA-PSS" : "RSASSA-PKCS1-v1_5",
		hash: `SHA-${bits}`
	};
	return {
		kty: ["RSA"],
		subtle,
		signing: saltLength ? {
			...subtle,
			saltLength
		} : subtle,
		usages: sig,
		minRsaBits: 2048
	};
}
function ecdsa(crv, bits) {
	return {
		kty: ["EC"],
		crv,
		subtle: {
			name: "ECDSA",
			namedCurve: crv
		},
		signing: {
			name: "ECDSA",
			hash: `SHA-${bits}`
		},
		usages: sig
	};
}
function eddsa() {
	const subtle = { name: "Ed25519" };
	return {
		kty: ["OKP"],
		crv: "Ed25519",
		subtle,
		signing: subtle,
		usages: sig
	};
}
function mldsa(parameterSet) {
	const subtle = { name: `ML-DSA-${parameterSet}` };
	return {
		kty: ["AKP"],
		subtle,
		signing: subtle,
		usages: sig
	};
}
var sig, JWS;
var init_jws_algorithms = __esmMin((() => {
	init_key_descriptor();
	sig = [["verify"], ["sign"]];
	JWS = table$1({
		HS256: hmac(256),
		HS384: hmac(384),
		HS512: hmac(512),
		RS256: rsa(256),
		RS384: rsa(384),
		RS512: rsa(512),
		PS256: rsa(256, 32),
		PS384: rsa(384, 48),
		PS512: rsa(512, 64),
		ES256: ecdsa("P-256", 256),
		ES384: ecdsa("P-384", 384),
		ES512: ecdsa("P-521", 512),
		EdDSA: eddsa(),
		Ed25519: eddsa(),
		"ML-DSA-44": mldsa(44),
		"ML-DSA-65": mldsa(65),
		"ML-DSA-87": mldsa(87)
	});
}));
function unsupportedAlg(source = "JWK \"alg\" (Algorithm) Parameter") {
	throw new JOSENotSupported(`Invalid or unsupported ${source} value`);
}
function keyAlgorithm(alg, source) {
	return (typeof alg == "string" ? JWS[alg] ?? JWE[alg] : void 0) ?? unsupportedAlg(source);
}
var algArgument;
var init_key_algorithm = __esmMin((() => {
	init_errors();
	init_jws_algorithms();
	init_jwe_algorithms();
	algArgument = "\"alg\" (Algorithm)";
}));
function parseKeyHeader(state, keyFormat) {
	if (expectTag(state, 48, `Invalid ${keyFormat === "spki" ? "SPKI" : "PKCS#8"} structure`), parseLength(state), keyFormat === "pkcs8") {
		expectTag(state, 2, "Expected version field");
		const length = parseLength(state);
		state.pos += length;
	}
	expectTag(state, 48, "Expected algorithm identifier"), parseLength(state);
}
function spkiFromX509(buf) {
	const state = createASN1State(buf);
	expectTag(state, 48, "Invalid certificate structure");
	const certificateLength = parseLength(state);
	if (certificateLength < 0 || state.pos + certificateLength > state.data.length) throw new Error("Unexpected end of ASN.1 input");
	expectTag(state, 48, "Invalid tbsCertificate structure"), parseLength(state), buf[state.pos] === 160 ? skipElement(state, 6) : skipElement(state, 5);
	const spkiStart = state.pos;
	expectTag(state, 48, "Invalid SPKI structure");
	const spkiContentLen = parseLength(state);
	return buf.subarray(spkiStart, spkiStart + spkiContentLen + (state.pos - spkiStart));
}
var bytesEqual, createASN1State, readByte, parseLength, skipElement, expectTag, getSubarray, parseAlgorithmOID, parseECAlgorithmIdentifier, genericImport, processPEMData, fromPKCS8, fromSPKI, fromX509;
var init_asn1 = __esmMin((() => {
	init_key();
	init_buffer_utils();
	init_errors();
	init_key_algorithm();
	bytesEqual = (a, b) => {
		if (a.byteLength !== b.length) return !1;
		for (let i = 0; i < a.byteLength; i++) if (a[i] !== b[i]) return !1;
		return !0;
	};
	createASN1State = (data) => ({
		data,
		pos: 0
	});
	readByte = (state) => {
		const byte = state.data[state.pos++];
		if (byte === void 0) throw new Error("Unexpected end of ASN.1 input");
		return byte;
	};
	parseLength = (state) => {
		const first = readByte(state);
		if (first & 128) {
			const lengthOfLen = first & 127;
			let length = 0;
			for (let i = 0; i < lengthOfLen; i++) length = length << 8 | readByte(state);
			return length;
		}
		return first;
	};
	skipElement = (state, count = 1) => {
		for (; count-- > 0;) {
			state.pos++;
			const length = parseLength(state);
			state.pos += length;
		}
	};
	expectTag = (state, expectedTag, errorMessage) => {
		if (readByte(state) !== expectedTag) throw new Error(errorMessage);
	};
	getSubarray = (state, length) => {
		if (length < 0 || state.pos + length > state.data.length) throw new Error("Unexpected end of ASN.1 input");
		const result = state.data.subarray(state.pos, state.pos + length);
		return state.pos += length, result;
	};
	parseAlgorithmOID = (state) => {
		expectTag(state, 6, "Expected algorithm OID");
		const oidLen = parseLength(state);
		return getSubarray(state, oidLen);
	};
	parseECAlgorithmIdentifier = (state) => {
		const algOid = parseAlgorithmOID(state);
		if (bytesEqual(algOid, [
			43,
			101,
			110
		])) return "X25519";
		if (!bytesEqual(algOid, [
			42,
			134,
			72,
			206,
			61,
			2,
			1
		])) throw new Error("Unsupported key algorithm");
		expectTag(state, 6, "Expected curve OID");
		const curveOidLen = parseLength(state), curveOid = getSubarray(state, curveOidLen);
		if (bytesEqual(curveOid, [
			42,
			134,
			72,
			206,
			61,
			3,
			1,
			7
		])) return "P-256";
		if (bytesEqual(curveOid, [
			43,
			129,
			4,
			0,
			34
		])) return "P-384";
		if (bytesEqual(curveOid, [
			43,
			129,
			4,
			0,
			35
		])) return "P-521";
		throw new Error("Unsupported named curve");
	};
	genericImport = async (keyFormat, keyData, alg, options) => {
		const extractable = validateExtractableOption(options?.extractable), entry = keyAlgorithm(alg, algArgument);
		entry.secret && unsupportedAlg("\"alg\" (Algorithm)");
		const isPublic = keyFormat === "spki";
		let algorithm;
		if (entry.resolve) try {
			const state = createASN1State(keyData);
			parseKeyHeader(state, keyFormat), algorithm = entry.resolve({ crv: parseECAlgorithmIdentifier(state) });
		} catch (cause) {
			throw new JOSENotSupported("Invalid or unsupported key format", { cause });
		}
		else algorithm = entry.subtle;
		return crypto.subtle.importKey(keyFormat, keyData, algorithm, extractable ?? isPublic, entry.usages[isPublic ? 0 : 1]);
	};
	processPEMData = (pem, pattern) => decodeBase64(pem.replace(pattern, ""));
	fromPKCS8 = (pem, alg, options) => {
		const keyData = processPEMData(pem, /(?:-----(?:BEGIN|END) PRIVATE KEY-----|\s)/g);
		return genericImport("pkcs8", keyData, alg, options);
	};
	fromSPKI = (pem, alg, options) => {
		const keyData = processPEMData(pem, /(?:-----(?:BEGIN|END) PUBLIC KEY-----|\s)/g);
		return genericImport("spki", keyData, alg, options);
	};
	fromX509 = (pem, alg, options) => {
		let spki;
		try {
			spki = spkiFromX509(processPEMData(pem, /(?:-----(?:BEGIN|END) CERTIFICATE-----|\s)/g));
		} catch (cause) {
			throw new TypeError("Failed to parse the X.509 certificate", { cause });
		}
		return genericImport("spki", spki, alg, options);
	};
}));
var import_exports = __exportAll({
	importJWK: () => importJWK,
	importPKCS8: () => importPKCS8,
	importSPKI: () => importSPKI,
	importX509: () => importX509
});
async function importSPKI(spki, alg, options) {
	if (typeof spki != "string" || spki.indexOf("-----BEGIN PUBLIC KEY-----") !== 0) throw new TypeError("\"spki\" must be SPKI formatted string");
	return fromSPKI(spki, alg, options);
}
async function importX509(x509, alg, options) {
	if (typeof x509 != "string" || x509.indexOf("-----BEGIN CERTIFICATE-----") !== 0) throw new TypeError("\"x509\" must be X.509 formatted string");
	return fromX509(x509, alg, options);
}
async function importPKCS8(pkcs8, alg, options) {
	if (typeof pkcs8 != "string" || pkcs8.indexOf("-----BEGIN PRIVATE KEY-----") !== 0) throw new TypeError("\"pkcs8\" must be PKCS#8 formatted string");
	return fromPKCS8(pkcs8, alg, options);
}
async function importJWK(jwk, alg, options) {
	if (!isObject(jwk)) throw new TypeError("JWK must be an object");
	const normalized = normalizeJwk(jwk), extractable = validateExtractableOption(options?.extractable), { alg: jwkAlg } = normalized;
	if (alg ??= jwkAlg, normalized.kty !== "oct" && !alg) throw new TypeError("\"alg\" argument is required when \"jwk.alg\" is not present");
	switch (normalized.kty) {
		case "oct":
			if (typeof normalized.k != "string") throw new TypeError("missing \"k\" (Key Value) Parameter value");
			return decode$1(normalized.k);
		case "AKP":
			if (typeof jwkAlg != "string" || !jwkAlg) throw new TypeError("missing \"alg\" (Algorithm) Parameter value");
			if (alg !== jwkAlg) throw new TypeError("JWK alg and alg option value mismatch");
			return jwkToKey(keyAlgorithm(alg), normalized, extractable);
		case "RSA":
		case "EC":
		case "OKP": return jwkToKey(keyAlgorithm(alg), normalized, extractable);
		default: throw new JOSENotSupported("Unsupported \"kty\" (Key Type) Parameter value");
	}
}
var init_import = __esmMin((() => {
	init_base64url();
	init_asn1();
	init_key();
	init_key_algorithm();
	init_errors();
	init_validate();
}));
function readPrivateKey(secret) {
	const text = secret.value.trim();
	const jwk = text.startsWith("{") ? parseJson$2(text) : void 0;
	const key = readKey(secret, isObject$1(jwk) ? jwk : text);
	const algorithm = algorithms[key.asymmetricKeyDetails?.namedCurve ?? key.asymmetricKeyType ?? ""];
	if (algorithm === void 0) throw unusable(secret, "is of a kind that signs no assertions");
	const kid = isObject$1(jwk) ? jwk["kid"] : void 0;
	return async () => {
		const { importPKCS8 } = await Promise.resolve().then(() => (init_import(), import_exports));
		return {
			key: await importPKCS8(String(key.export({
				type: "pkcs8",
				format: "pem"
			})), algorithm),
			...typeof kid === "string" && { kid }
		};
	};
}
function readKey(secret, material) {
	try {
		return typeof material === "string" ? createPrivateKey(material) : createPrivateKey({
			key: material,
			format: "jwk"
		});
	} catch {
		throw unusable(secret, "cannot be read");
	}
}
const algorithms = {
	rsa: "RS256",
	prime256v1: "ES256",
	secp384r1: "ES384",
	secp521r1: "ES512",
	ed25519: "EdDSA"
};
function unusable({ origin }, complaint) {
	return new ConfigError("invalid-private-key", `The private key in ${origin} ${complaint}.`, { hint: "Give an unencrypted RSA, P-256, P-384, P-521 or Ed25519 key as PEM or JWK." });
}
function wayOf({ method, client }, settings, effects) {
	const { clientSecret, privateKey } = settings;
	const { redactor } = effects;
	const credentials = {
		type: "client_credentials",
		parameters: async () => client.access
	};
	switch (method) {
		case "client-secret-basic": return {
			proof: secretInHeader(needed(clientSecret, method, "CONTRACT_SYNC_CLIENT_SECRET"), client, redactor),
			issue: issueBy(credentials)
		};
		case "client-secret-post": return {
			proof: secretInBody(needed(clientSecret, method, "CONTRACT_SYNC_CLIENT_SECRET"), redactor),
			issue: issueBy(credentials)
		};
		case "private-key-jwt": return {
			proof: signature(needed(privateKey, method, "CONTRACT_SYNC_PRIVATE_KEY"), redactor),
			issue: issueBy(credentials)
		};
		case "github-client-assertion": return {
			proof: unproven,
			issue: issueBy(clientAssertion(client, settings, effects))
		};
		case "github-token-exchange": return {
			proof: clientSecret ? secretInHeader(clientSecret, client, redactor) : unproven,
			issue: issueBy(tokenExchange(client, settings, effects))
		};
		case "device-login": {
			const { store } = effects;
			if (!store) throw notHere("a login of a person", "no logins are kept");
			const world = {
				...effects,
				store
			};
			return {
				proof: unproven,
				issue: (...asked) => renewLogin(client, world, ...asked)
			};
		}
	}
}
function issueBy(grant) {
	return (issuer) => issuer.grant(grant);
}
function needed(secret, method, variable) {
	if (secret) return secret;
	throw new ConfigError("no-secret", `auth.method is ${method}, and there is no secret for it.`, { hint: `Set ${variable}, or name the file that holds it.` });
}
function secretInBody({ value }, { hide }) {
	const secret = withoutLineEnd(value);
	hide(secret);
	return ({ ClientSecretPost }) => ClientSecretPost(secret);
}
function secretInHeader({ value }, { clientId }, { hide }) {
	const secret = withoutLineEnd(value);
	hide(secret);
	hide(btoa(`${encodeURIComponent(clientId)}:${encodeURIComponent(secret)}`));
	return ({ ClientSecretBasic }) => ClientSecretBasic(secret);
}
function withoutLineEnd(text) {
	return text.replace(/\r?\n$/u, "");
}
function signature(key, { hide }) {
	hide(key.value);
	const importKey = readPrivateKey(key);
	return async ({ PrivateKeyJwt }) => PrivateKeyJwt(await importKey());
}
function clientAssertion(client, settings, effects) {
	const idToken = idTokenFor(client, settings, effects);
	return {
		type: "client_credentials",
		parameters: async () => ({
			...client.access,
			client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
			client_assertion: await idToken()
		})
	};
}
function tokenExchange(client, settings, effects) {
	const idToken = idTokenFor(client, settings, effects);
	const { subjectTokenType = "urn:ietf:params:oauth:token-type:jwt" } = settings;
	return {
		type: "urn:ietf:params:oauth:grant-type:token-exchange",
		parameters: async () => ({
			...client.access,
			subject_token: await idToken(),
			subject_token_type: subjectTokenType
		})
	};
}
function idTokenFor({ issuer }, { idTokenAudience = issuer }, { idToken, redactor }) {
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
function createTokenSource(settings, given = {}) {
	const effects = completeEffects(given);
	const choice = chooseMethod(settings, effects.idToken !== void 0);
	effects.log(`Token: ${choice.method}, because ${choice.reason}.`);
	return choice.method === "static-token" ? sourceOfStatic(choice.token, effects) : sourceOfIssuer(choice, settings, effects);
}
function sourceOfStatic({ value, origin }, effects) {
	effects.redactor.hide(value);
	const warning = checkLifetime(parseBearerToken(value), origin, effects.now());
	if (warning) effects.warn(warning);
	return staticToken(value);
}
function sourceOfIssuer(choice, settings, effects) {
	const { method, client } = choice;
	const { proof, issue } = wayOf(choice, settings, effects);
	const issuer = openIssuer(client, proof, effects);
	return cacheToken(async (rejected) => {
		const issued = await issue(issuer, rejected);
		parseBearerToken(issued.accessToken);
		const life = lifetimeOf(issued, effects.now());
		effects.log(`Token: by ${method} from ${client.issuer}${life}.`);
		return issued;
	}, effects.now);
}
function lifetimeOf({ expiresAt }, now) {
	return expiresAt === void 0 ? "" : `, good for ${Math.round((expiresAt - now) / 1e3)} s`;
}
function checkBaseUrl({ baseUrl, allowHttp = false }) {
	if (baseUrl.protocol !== "https:" && baseUrl.protocol !== "http:") throw invalidUrl(`must start with https://, not ${baseUrl.protocol}`, "Write https://catalog.example.com/api, or http://localhost:8585/api for one on this machine.");
	if (baseUrl.username !== "" || baseUrl.password !== "") throw invalidUrl("must not hold a user name or password", "Give the token instead.");
	if (baseUrl.search !== "" || baseUrl.hash !== "") throw invalidUrl("must not have a query or a fragment", "It usually ends in /api.");
	if (!allowHttp && !isProtected(baseUrl)) throw invalidUrl(`would send the token unencrypted to ${baseUrl.host}`, "Use https://, or --allow-http if the network between is trusted.");
}
function invalidUrl(complaint, hint) {
	return new ConfigError("invalid-catalog-url", `The catalog URL ${complaint}.`, { hint });
}
async function* completeList(source, leavesOff) {
	const known = new Set();
	if (!(yield* firstPass(source, known, leavesOff))) yield* secondPass(source, known);
}
async function* firstPass(source, known, leavesOff) {
	let rows = 0;
	let total;
	let isLeftOff = false;
	const leaves = leavesOff && ((requestsLeft) => isLeftOff = leavesOff(requestsLeft));
	try {
		for await (const page of walkList(source, leaves)) {
			rows += page.contracts.length;
			total = largest(total, page.total);
			yield pageOf(unknownOf(page.contracts, known), page.total);
			if (page.flaw !== void 0 || rows > known.size) return false;
		}
	} catch (error) {
		if (rows > 0 && isLostPlace(error)) return false;
		throw error;
	}
	return isLeftOff || rows === (total ?? rows);
}
async function* secondPass(source, known) {
	const digests = new Map();
	let counts = {};
	const pageSize = constantPageSize(source.pageSize);
	for await (const page of walkList({
		...source,
		pageSize,
		openPages: pageByPage
	})) {
		if (page.flaw !== void 0) throw incompleteRead(source, page.flaw);
		counts = countsAfter(counts, page);
		const before = digests.size;
		for (const contract of page.contracts) keepDigest(source, digests, contract);
		if (digests.size === before && page.contracts.length > 0) throw incompleteRead(source, "a page holds only what earlier pages held");
		yield pageOf(unknownOf(page.contracts, known), page.total);
	}
	refuseOtherCount(source, counts, digests.size);
}
function countsAfter({ most, atEnd }, { total, oddEnd }) {
	const larger = largest(most, total);
	return {
		most: larger,
		atEnd: oddEnd === "empty" ? larger : total ?? atEnd
	};
}
function refuseOtherCount(source, { most, atEnd }, given) {
	const isMore = most !== void 0 && given > most;
	if (!isMore && !(atEnd !== void 0 && given < atEnd)) return;
	throw incompleteRead(source, `it says that there are ${isMore ? most : atEnd}, and gives ${given}`);
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
	const comparable = Object.entries(document).filter(([, member]) => !isTooDeep(member));
	const text = canonicalJson(Object.fromEntries(comparable));
	const digest = createHash("sha256").update(text).digest("base64");
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
		openPages: lister.openPages,
		pageSize: lister.pageSize
	});
	try {
		yield* query.entities ? listWanted(sourceOf, query, query.entities) : listAll(sourceOf, query);
	} finally {
		stopped.abort();
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
function createReader(connection, openPages = pageByPage) {
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
		pageSize,
		openPages
	};
	return {
		list: (query = {}, signal) => listContracts(lister, query, signal),
		versions: async (id) => send(get("versions", versionsPath(id)), readHistory),
		version: async (id, version) => send(get("version", `${versionsPath(id)}/${segment$1(formatVersion$1(version))}`), readObject),
		search: async (text, index) => send(get("search", `v1/search/query?${new URLSearchParams({
			q: text,
			index
		}).toString()}`), readJson)
	};
}
function createWriter(connection) {
	const send = openSender(connection);
	let type = patchType;
	const request = (id, patch) => ({
		operation: "patch",
		method: "PATCH",
		url: resolve$1(connection.baseUrl, `v1/dataContracts/${segment$1(id)}`),
		body: {
			type,
			text: JSON.stringify(patch)
		}
	});
	const patch = async (id, operations, lastTry) => {
		try {
			return await send({
				...request(id, operations),
				lastTry
			}, (answer) => readContract(answer, id));
		} catch (error) {
			if (isUnsupportedType(error)) type = plainType;
			throw error;
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
	const effects = {
		...systemEffects,
		...connection.effects
	};
	const send = senders.get(connection) ?? createSender({
		...connection,
		effects
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
	return `v1/dataContracts/${segment$1(id)}/versions`;
}
function segment$1(text) {
	if (/^\.{0,2}$/u.test(text)) throw new ConfigError("invalid-id", `"${text}" names no contract.`);
	return encodeURIComponent(text);
}
const version = "0.1.0";
function openSession(config, options) {
	const { catalogUrl, exclude, locateGlob: locate, rules, dialect, concurrency } = config;
	const { folder: root, paths, allowEmpty = false, selection, overrides, onRetry } = options;
	const connection = connectionOf(config, options);
	return {
		catalogUrl,
		files: {
			root,
			include: paths.length > 0 ? paths : config.include,
			exclude,
			allowEmpty,
			locate
		},
		isNarrowed: paths.length > 0,
		reader: createReader(connection),
		openReader: (openPages) => createReader(connection, openPages),
		openWriter: () => createWriter(connection),
		rules,
		dialect,
		concurrency,
		...selection && { selection },
		...overrides && { overrides },
		...onRetry && { onRetry }
	};
}
function connectionOf({ catalogUrl, pageSize, timeoutMs, timeoutThrottledMs, concurrency }, { token, allowHttp = false, onRetry, log }) {
	return {
		baseUrl: new URL(catalogUrl),
		token,
		pageSize,
		timeoutMs,
		timeoutThrottledMs,
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
	const pullRequest = pullRequestOf(event, read("GITHUB_ACTOR", ""));
	const queuedPullRequest = queuedPullRequestOf(event);
	return {
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
		step: read("GITHUB_ACTION", "step").replaceAll(/[^\w-]/gu, "_"),
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
const timeoutMs = 3e4;
async function request({ token, fetch }, { method, url: address, body }) {
	const url = new URL(address);
	const reply = await sendRequest({
		method,
		url,
		headers: {
			accept: "application/vnd.github+json",
			authorization: `Bearer ${token}`,
			"user-agent": `contract-sync/${version}`,
			"x-github-api-version": "2022-11-28",
			...body && { "content-type": "application/json" }
		},
		...body && { body: JSON.stringify(body) }
	}, {
		fetch,
		timeoutMs
	});
	if ("fault" in reply) {
		const { cause } = reply.fault;
		throw new SyncError("github", `GitHub cannot be reached at ${url.host}.`, { cause });
	}
	const { status } = reply.answer;
	if (status < 200 || status >= 300) throw refused$1(status, method, url);
	const text = bodyText(reply.answer);
	const value = text === "" ? null : parseJson$2(text);
	if (value !== void 0) return value;
	throw new SyncError("github", "GitHub answered with something that is not JSON.");
}
function refused$1(status, method, { pathname }) {
	const hint = [
		401,
		403,
		404
	].includes(status) ? "Give the job the permissions `pull-requests: write` and `contents: read`." : "Run the job again.";
	return new GitHubError(status, `GitHub answered ${method} ${pathname} with ${status}.`, hint);
}
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
					cmdStr += `${key}=${escapeProperty$1(val)}`;
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
function escapeProperty$1(s) {
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
var require_tunnel$1 = __commonJSMin(((exports) => {
	__require("net");
	__require("tls");
	var http = __require("http");
	__require("https");
	var events = __require("events");
	__require("assert");
	var util = __require("util");
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
__commonJSMin(((exports, module) => {
	module.exports = require_tunnel$1();
}))();
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
HttpCodes.MovedPermanently, HttpCodes.ResourceMoved, HttpCodes.SeeOther, HttpCodes.TemporaryRedirect, HttpCodes.PermanentRedirect;
HttpCodes.BadGateway, HttpCodes.ServiceUnavailable, HttpCodes.GatewayTimeout;
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
function info(message) {
	process.stdout.write(message + os$1.EOL);
}
function githubIdToken(environment, effects) {
	const address = environment["ACTIONS_ID_TOKEN_REQUEST_URL"];
	const bearer = environment["ACTIONS_ID_TOKEN_REQUEST_TOKEN"];
	if (!address || !bearer) return void 0;
	effects.redactor.hide(bearer);
	return async (audience) => {
		const url = new URL(address);
		url.searchParams.set("audience", audience);
		const result = await retry$1(() => ask(url, bearer, effects), effects, effects.log);
		if ("value" in result) return result.value;
		throw new IssuerError("issuer-failed", result.fault.message, {
			hint: "The job needs the permission `id-token: write`.",
			cause: result.fault.cause
		});
	};
}
async function ask(url, bearer, effects) {
	const reply = await sendRequest({
		method: "GET",
		url,
		headers: {
			accept: "application/json",
			authorization: `Bearer ${bearer}`
		},
		redirect: "manual"
	}, effects);
	if ("fault" in reply) return refused("no answer", true, reply.fault.cause);
	const { status } = reply.answer;
	const body = parseJson$2(bodyText(reply.answer));
	const token = status === 200 && isObject$1(body) ? body["value"] : void 0;
	return typeof token === "string" ? { value: token } : refused(`status ${status}`, status >= 500);
}
function refused(complaint, transient, cause) {
	return { fault: {
		message: `GitHub gives no ID token (${complaint}).`,
		transient,
		cause
	} };
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
	if ((url?.protocol === "http:" || url?.protocol === "https:") && !`${url.pathname}${url.search}${url.hash}`.includes("@")) return url.href;
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
const longestMessage = 4e3;
function annotationLine({ code, severity, message, hint, source }) {
	const text = hint === void 0 ? [message] : [message, hint];
	return commandLine({
		name: severity === "information" ? "notice" : severity,
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
	const given = Object.entries(properties).map(([key, value]) => `${key}=${escapeProperty(value)}`);
	return `::${name}${given.length > 0 ? ` ${given.join(",")}` : ""}::${escapeMessage(message)}`;
}
function escapeMessage(text) {
	return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}
function escapeProperty(value) {
	return escapeMessage(String(value)).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
function logLines(text) {
	return text.split(lineBreak).map((line) => sanitizeLine(defuse(line)));
}
const lineBreak = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/u;
new RegExp(`(${lineBreak.source})`, "u");
const weightless = String.raw`\p{C}\p{M}\p{Default_Ignorable_Code_Point}`;
const leadingColons = new RegExp(`^[\\s${weightless}]*:[${weightless}]*:`, "u");
const hashBracket = new RegExp(`#([${weightless}]*)\\[`, "gu");
function defuse(line) {
	const apart = line.replaceAll(hashBracket, "#·$1[");
	return leadingColons.test(apart) ? `·${apart}` : apart;
}
function systemRunner() {
	const idToken = githubIdToken(process.env, completeEffects());
	return {
		environment: process.env,
		input: getInput,
		print: info,
		mask: setSecret,
		setOutput,
		addSummary,
		...idToken && { idToken },
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
			...runner.idToken && { idToken: runner.idToken }
		}),
		onRetry: log.text
	});
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
	const found = {
		pull,
		header
	};
	if (header.head !== pull.headSha) {
		const missing = `The plan of pull request ${pull.number} is of ${header.head}, an earlier commit than its last one.`;
		return {
			...found,
			missing
		};
	}
	if (header.planHash === void 0) return {
		...found,
		missing: `Pull request ${pull.number} was left without a plan.`
	};
	return {
		...found,
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
async function checkApproval(proposed, approval, { session, autoApprove }) {
	if (updates(proposed).length === 0) return { plan: proposed };
	if ("missing" in approval) return { plan: autoApprove ? proposed : notReviewed(proposed, approval.missing) };
	const { plan, review } = await reviewPlan(proposed, approval.reviewed, session);
	const comparison = review?.comparison;
	return {
		plan: inWordsOfInputs(plan),
		...comparison && { comparison }
	};
}
function notReviewed(plan, reason) {
	const problem = {
		code: "plan-not-reviewed",
		severity: "error",
		message: `${reason} So nobody has reviewed this plan.`,
		hint: "Change contracts by pull requests that show their plan, or set the input `auto-approve` for pushes that nobody reviews."
	};
	return {
		...plan,
		errored: true,
		diagnostics: [...plan.diagnostics, problem]
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
function failureOfIncomplete(plan) {
	if (!isIncomplete(plan)) return void 0;
	const { missing, blocked } = plan.summary;
	return {
		reason: "incomplete-plan",
		message: `The plan leaves contracts out: ${joinTotals([...total(missing, `${missing} missing`), ...total(blocked, `${blocked} blocked`)])}.`
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
async function perform(step) {
	switch (step.inputs.command) {
		case "validate": return validateStep(step);
		case "plan": return isOffline(step) ? validateStep(step, offline) : planStep(step);
		case "apply": return applyStep(step);
	}
}
function isOffline({ inputs, run, runner }) {
	return run.pullRequest?.untrusted === true && !hasCredential(inputs, runner);
}
const offline = "This pull request comes from a fork or from Dependabot, which get no secrets: the files were checked, and no plan was made. The plan is made when a maintainer brings the change to a branch of this repository.";
async function validateStep({ inputs, folder }, notice) {
	const validation = await validateFiles({
		folder,
		paths: inputs.paths
	}, inputs.config);
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
async function planStep(step) {
	const session = openCatalog(step);
	const made = await makePlan(session);
	const checked = step.inputs.expectHash === void 0 ? { plan: made } : await checkApproval(made, await findApproval(step), {
		session,
		autoApprove: false
	});
	const failure = failureOf(checked.plan, step.inputs);
	return {
		kind: "plan",
		...checked,
		...failure && { failure }
	};
}
async function makePlan(session) {
	return inWordsOfInputs(await planNow(session));
}
function failureOf(plan, { failOn }) {
	if (plan.errored) return failureOfPlan(plan);
	const incomplete = failureOfIncomplete(plan);
	if (incomplete) return incomplete;
	const changes = updates(plan).length;
	if (failOn === "changes" && changes > 0) return {
		reason: "changes",
		message: `The catalog differs from the files: ${changes} to update.`
	};
	if (failOn === "warnings" && hasWarnings(plan)) return {
		reason: "warnings",
		message: "The plan has warnings, and `fail-on` is warnings."
	};
}
function hasWarnings({ diagnostics, contracts }) {
	return [...diagnostics, ...contracts.flatMap(contractProblems)].some(({ severity }) => severity !== "information");
}
async function applyStep(step) {
	const { planFile, autoApprove } = step.inputs;
	const session = openCatalog(step);
	const proposed = planFile === void 0 ? await makePlan(session) : openSavedPlan({
		name: planFile,
		folder: step.folder,
		hint: planFileHint
	}, session);
	const approval = await findApproval(step);
	const checked = await checkApproval(proposed, approval, {
		session,
		autoApprove
	});
	const { plan } = checked;
	const outcomes = plan.errored ? nothingApplied([]) : await carryOut(plan, session, { signal: step.runner.interruption() });
	const failure = failureToApply(plan, outcomes);
	return {
		kind: "apply",
		...checked,
		outcomes,
		...failure && { failure },
		...approval.pull && { pull: approval.pull },
		...approval.header && { approved: approval.header }
	};
}
const planFileHint = "The input `plan-file` of an apply names a plan that an earlier step has made.";
function failureToApply(plan, outcomes) {
	if (plan.errored) return failureOfPlan(plan);
	if (allLanded(outcomes)) return failureOfIncomplete(plan);
	return {
		reason: "apply-failed",
		message: `Not every change landed: ${outcomesVerdict(outcomes)}.`
	};
}
function describePlan(plan, view = {}) {
	const { planHash, errored, selection, diagnostics } = plan;
	const report = describeContracts(plan, view.all);
	const ofContracts = report.contracts.flatMap(({ problems }) => problems);
	const problems = sortByGravity([...diagnostics, ...ofContracts]);
	return {
		...report,
		verdict: planVerdict(plan),
		...planHash !== void 0 && { planHash },
		...errored && { obstacle: describeObstacle(problems) },
		diagnostics,
		problems,
		groups: groupContracts(report.contracts, view.touched),
		sinceReview: view.comparison ? describeComparison(view.comparison) : [],
		leftOut: describeSelection(selection),
		hasChanges: hasChanges(plan),
		totals: totalsOf(plan),
		atRest: atRest(plan)
	};
}
function describeObstacle(problems) {
	return `Nothing can be applied: ${countProblems(ofSeverity(problems, "error"))}.`;
}
function problemsAtLines(plan, { isApplied = false } = {}) {
	const { contracts, transitions } = describeContracts(plan);
	return sortByGravity([
		...plan.diagnostics,
		...contracts.flatMap(({ problems, reasons }) => [...problems, ...reasons]),
		...isApplied ? [] : transitions.flatMap(transitionNotice)
	]);
}
function transitionNotice({ label, transition }) {
	const { from, to, source } = transition;
	const message = `${label}: ${from ?? "no status"} → ${to ?? "no status"}.`;
	return source ? [{
		code: "status-transition",
		severity: "information",
		message,
		source
	}] : [];
}
function groupContracts(contracts, touched) {
	const differing = contracts.filter(({ verdict }) => verdict !== "unchanged").toSorted((a, b) => rank(a) - rank(b));
	const isAsked = ({ source }) => touched?.has(source.file) ?? true;
	const drifted = differing.filter((contract) => !isAsked(contract));
	return [{
		title: "Contracts",
		contracts: differing.filter(isAsked)
	}, {
		title: "Drift",
		note: driftNote(drifted.length),
		contracts: drifted
	}].filter((group) => group.contracts.length > 0);
}
function rank({ verdict, breaking }) {
	return 2 * [
		"blocked",
		"update",
		"missing"
	].indexOf(verdict) + (breaking ? 0 : 1);
}
function driftNote(amount) {
	return `${count$1(amount, "contract differs", "contracts differ")} from files that this pull request does not touch: the catalog was edited, or an earlier change was not applied. An apply brings the catalog back to the files.`;
}
function describeSelection(selection = {
	only: [],
	exclude: [],
	leftOut: []
}) {
	const { only, exclude, changedSince, leftOut } = selection;
	return {
		flags: [
			...only.map((pattern) => `--only ${pattern}`),
			...exclude.map((pattern) => `--exclude ${pattern}`),
			...changedSince === void 0 ? [] : [`--changed-since ${changedSince}`]
		].join(" "),
		names: leftOut
	};
}
function planVerdict(plan) {
	if (plan.planHash === void 0) return "no plan could be made";
	const { update, blocked, missing, transitions, breaking } = plan.summary;
	return joinTotals([
		...hasChanges(plan) ? [] : [{ words: "no changes" }],
		...total(update, `${update} to update`),
		...total(transitions, countTransitions(plan)),
		...total(breaking, `${breaking} breaking`),
		...total(blocked, `${blocked} blocked`),
		...total(missing, `${missing} missing`)
	]);
}
function hasChanges({ summary }) {
	return summary.update > 0 || summary.blocked > 0;
}
function countTransitions({ summary }) {
	return count$1(summary.transitions, "status transition", "status transitions");
}
function totalsOf(plan) {
	const { update, unchanged, missing, unmanaged, blocked, transitions, breaking } = plan.summary;
	const moves = transitions > 0 ? ` (${countTransitions(plan)})` : "";
	return [
		...hasChanges(plan) ? [{ words: `${update} to update${moves}` }] : [],
		...total(blocked, `${blocked} blocked`, "error"),
		...total(breaking, `${breaking} breaking`, "warning"),
		{ words: `${unchanged} unchanged` },
		...total(missing, `${missing} missing`, isIncomplete(plan) ? "error" : void 0),
		...total(unmanaged, `${unmanaged} unmanaged`)
	];
}
function atRest({ summary: { unchanged, unmanaged }, selection }) {
	const leftOut = selection?.leftOut.length ?? 0;
	const live = count$1(unmanaged, "live contract", "live contracts");
	return [
		`${unchanged} unchanged`,
		...unmanaged > 0 ? [`${live} without a file, left alone`] : [],
		...leftOut > 0 ? [`${count$1(leftOut, "contract", "contracts")} left out of this plan`] : []
	];
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
function segment(string, segmenter) {
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
	const segments = segment(string, segmenter);
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
			parts = segment(value, segmenter);
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
function inlineValue(value) {
	if (typeof value === "string") return value.includes("\n") ? void 0 : value;
	if (typeof value !== "object" || value === null) return String(value);
	return Object.keys(value).length === 0 ? JSON.stringify(value) : void 0;
}
function quoteBlank(text) {
	return text === "" || text !== text.trim() ? JSON.stringify(text) : text;
}
function valueLines(value) {
	return (typeof value === "string" ? value : stringify(value, {
		lineWidth: 0,
		indentSeq: false
	})).replace(/\n$/u, "").split("\n");
}
function operationText(operation) {
	const origin = "from" in operation ? ` from ${operation.from}` : "";
	const value = "value" in operation ? ` ${clip(JSON.stringify(operation.value), 160)}` : "";
	return `${operation.op} ${operation.path}${origin}${value}`;
}
function clip(text, longest) {
	return text.length > longest ? `${text.slice(0, longest)}…` : text;
}
const lineSigns = {
	added: "+",
	removed: "-",
	context: " ",
	gap: " "
};
function inlineLines({ before, after }, longest = Infinity) {
	const left = before === void 0 ? "" : inlineValue(before);
	const right = after === void 0 ? "" : inlineValue(after);
	if (left === void 0 || right === void 0) return void 0;
	if (left.length + right.length > longest) return void 0;
	return [...before === void 0 ? [] : [{
		kind: "removed",
		text: quoteBlank(left)
	}], ...after === void 0 ? [] : [{
		kind: "added",
		text: quoteBlank(right)
	}]];
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
function advice({ message, hint = "" }) {
	return `${prose(message)} ${prose(hint)}`.trimEnd();
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
function table(header, rows) {
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
	return table(header, [...rows.slice(0, most), ...rest > 0 ? [more] : []]);
}
function collapsible(summary, body, { open = false } = {}) {
	return `<details${open ? " open" : ""}>\n<summary>${summary}</summary>\n\n${body}\n\n</details>`;
}
function renderValidationMarkdown(validation, options) {
	const { verdict } = describeValidation(validation);
	const place = placesBelow(options.files);
	return renderReport(verdict, problemsBlock(validation.diagnostics, place), options);
}
function renderReport(verdict, blocks, { budget, notice, rest }) {
	const head = [[`## contract-sync: ${verdict}`], ...notice === void 0 ? [] : [[`> [!NOTE]\n> ${notice}`]]];
	const ending = `\n\n> [!NOTE]\n> This is not all of it: some details would not fit.${rest === void 0 ? "" : ` ${rest}`}\n`;
	const { text, complete } = fitBlocks([...head, ...blocks], budget - Buffer.byteLength(ending));
	return complete ? `${text}\n` : `${text}${ending}`;
}
function problemsBlock(problems, place) {
	if (problems.length === 0) return [];
	const items = problems.map((problem) => problemItem(problem, place));
	const rest = items.length - mostItems;
	const more = rest > 0 ? [`- … and ${rest} more`] : [];
	return [[[...items.slice(0, mostItems), ...more].join("\n"), countProblems(problems)]];
}
const mostItems = 100;
function problemItem(problem, place) {
	const { code: rule, severity, message, hint, source, breaking, contract } = problem;
	return `- ${[
		severitySigns[severity],
		...breaking ? ["**breaking**"] : [],
		...contract === void 0 ? [] : [`${code(contract)}:`],
		prose(message),
		...hint === void 0 ? [] : [prose(hint)],
		...source ? [place(source)] : [],
		`(${code(rule)})`
	].join(" ")}`;
}
const severitySigns = {
	error: "❌",
	warning: "⚠️",
	information: "ℹ️"
};
function tableBlock(header, rows) {
	return [
		table(header, rows),
		firstRows(header, rows, 100),
		""
	];
}
function fitBlocks(blocks, budget) {
	const chosen = blocks.map((block) => block.at(-1) ?? "");
	const steps = blocks.reduce((most, { length }) => Math.max(most, length), 0);
	let used = chosen.reduce((sum, text) => sum + size(text), 0);
	for (let step = 2; step <= steps; step += 1) for (const [index, block] of blocks.entries()) {
		const finer = block.at(-step);
		const cost = size(finer) - size(chosen[index]);
		if (finer === void 0 || used + cost > budget) continue;
		chosen[index] = finer;
		used += cost;
	}
	const complete = used <= budget && blocks.every(([whole], index) => chosen[index] === whole);
	return {
		text: joinWithin(chosen, budget),
		complete
	};
}
const separator = "\n\n";
function size(text = "") {
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
function contractTable(contracts, place) {
	return tableBlock([
		"",
		"Contract",
		"Changes",
		"Version",
		"File"
	], contracts.map((contract) => [
		verdictText(contract),
		code(contract.label),
		contract.verdict === "missing" ? "not in the catalog" : changedFields(contract),
		versions$1(contract),
		place(contract.source)
	]));
}
function verdictText({ verdict, breaking }) {
	const words = verdict === "update" ? verdict : `**${verdict}**`;
	return breaking ? `${words}, **breaking**` : words;
}
function changedFields({ transition, fields }) {
	return [...transition ? [moveText(transition)] : [], ...fields.map(({ field, elements }) => {
		const edits = elements.map(({ sign, of }) => ` ${elementSigns[sign]}${of}`);
		return `${prose(field)}${edits.join("")}`;
	})].join(", ");
}
const elementSigns = {
	added: "+",
	removed: "−",
	changed: "~"
};
function moveText({ from, to }) {
	return `${from === null ? "none" : code(from)} → **${to === null ? "none" : code(to)}**`;
}
function versions$1({ versions }) {
	if (!versions) return "";
	const { before, expected } = versions;
	return expected === void 0 ? code(before) : `${code(before)} → ${expected}`;
}
const contextLines$1 = 2;
const mostLines = 2e3;
function contractDiff({ label, changes }, { open }) {
	const summary = `${htmlCode(label)} · ${count$1(changes.length, "change", "changes")}`;
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
	const { movement, before, after, source } = change;
	const headline = `@@ ${title(change)} @@${source ? ` line ${source.line}` : ""}`;
	if (movement !== void 0) return [headline];
	return [headline, ...(inlineLines(change) ?? differingLines(before, after, contextLines$1)).map(({ kind, text }) => `${lineSigns[kind]} ${text}`)];
}
function operationLine(change) {
	return `${operationSigns[change.sign]} ${title(change)}`;
}
const operationSigns = {
	added: "+",
	removed: "-",
	changed: "!"
};
function title({ label, movement }) {
	return movement === void 0 ? label : `${label} ${movement}`;
}
function renderPlanMarkdown(plan, options) {
	const report = describePlan(plan, options);
	return renderReport(report.verdict, planBlocks(report, options), options);
}
function planBlocks(report, { files }) {
	const place = placesBelow(files);
	const { obstacle, planHash, atRest } = report;
	const hash = planHash === void 0 ? [] : [`plan hash \`${planHash}\``];
	return [
		...obstacle === void 0 ? [] : [[`> [!CAUTION]\n> ${obstacle}`]],
		...problemsBlock(report.problems, place),
		...comparisonBlocks(report.sinceReview),
		...transitionBlocks(report),
		...report.groups.flatMap((group) => groupBlocks(group, place)),
		...unmanagedBlocks(report),
		[`<sub>${[...atRest, ...hash].join(" · ")}</sub>`]
	];
}
function comparisonBlocks(contracts) {
	if (contracts.length === 0) return [];
	return [["### Since the review"], ...contracts.map(({ label, verdict, operations }) => {
		const headline = `- ${code(label)}: ${prose(verdict)}`;
		if (operations.length === 0) return [headline, ""];
		return [
			`${headline}\n\n${fence("diff", operations.map(({ sign, operation }) => `${reviewSigns[sign]} ${operationText(operation)}`))}`,
			headline,
			""
		];
	})];
}
const reviewSigns = {
	same: " ",
	added: "+",
	removed: "-"
};
function transitionBlocks({ transitions, moves }) {
	if (transitions.length === 0) return [];
	const header = ["Status", "Contract"];
	const rows = transitions.map(({ transition, label }) => [moveText(transition), code(label)]);
	const counts = moves.map((move) => [moveText(move), count$1(move.of, "contract", "contracts")]);
	const title = "### Status transitions";
	const diagram = stateDiagram(moves);
	return [[
		[
			title,
			diagram,
			table(header, rows)
		].join("\n\n"),
		[
			title,
			diagram,
			firstRows(header, rows, 50)
		].join("\n\n"),
		[title, table(header, counts)].join("\n\n")
	]];
}
function stateDiagram(moves) {
	const statuses = [...new Set(moves.flatMap(({ from, to }) => [from, to]))];
	const alias = (status) => status === null ? "[*]" : `s${statuses.indexOf(status)}`;
	return fence("mermaid", [
		"stateDiagram-v2",
		"  direction LR",
		...statuses.filter((status) => status !== null).map((status) => `  state "${plainLabel(status)}" as ${alias(status)}`),
		...moves.map(({ from, to, of }) => `  ${alias(from)} --> ${alias(to)}: ${count$1(of, "contract", "contracts")}`)
	]);
}
function plainLabel(status) {
	return status.replaceAll(/[^\p{L}\p{N} _-]/gu, " ").slice(0, 40);
}
const mostOpen = 3;
function groupBlocks({ title, note, contracts }, place) {
	const changing = contracts.filter(({ changes }) => changes.length > 0);
	const open = changing.length <= mostOpen;
	return [
		[note === void 0 ? `### ${title}` : `### ${title}\n\n${note}`],
		contractTable(contracts, place),
		...changing.map((contract) => contractDiff(contract, { open }))
	];
}
const mostUnmanaged = 200;
function unmanagedBlocks({ unmanaged }) {
	if (unmanaged.length === 0 || unmanaged.length > mostUnmanaged) return [];
	const names = unmanaged.map((name) => `- ${code(name)}`);
	return [[collapsible(count$1(names.length, "live contract has no file", "live contracts have no file"), names.join("\n")), ""]];
}
function renderOutcomesMarkdown(plan, outcomes, options) {
	const report = describeOutcomes(outcomes);
	const blocks = [
		...refusalBlocks(outcomes),
		...outcomeBlocks(report),
		...planBlocks(describePlan(plan, options), options)
	];
	return renderReport(report.verdict, blocks, options);
}
function refusalBlocks({ diagnostics }) {
	if (diagnostics.length === 0) return [];
	return [[`> [!CAUTION]\n${diagnostics.map((diagnostic) => `> ${advice(diagnostic)}`).join("\n")}`, "> [!CAUTION]\n> Nothing was applied."]];
}
function outcomeBlocks({ byNeed }) {
	if (byNeed.length === 0) return [];
	return [tableBlock([
		"",
		"Contract",
		"Version",
		"Reason"
	], byNeed.map(outcomeRow))];
}
function outcomeRow(outcome) {
	const { gravity, result, label, versionBefore, versionAfter, error, note } = outcome;
	const versions = [versionBefore, versionAfter].filter((version) => version !== void 0);
	return [
		`${signs$1[gravity]} ${result}`,
		code(label),
		versions.map(code).join(" → "),
		error ? advice(error) : prose(note ?? "")
	];
}
const signs$1 = {
	error: "❌",
	warning: "⚠️",
	good: "✅"
};
function makePalette(paint) {
	return {
		added: paint("green"),
		removed: paint("red"),
		changed: paint("yellow"),
		faint: paint("dim"),
		strong: paint("bold"),
		error: paint(["red", "bold"]),
		warning: paint("yellow"),
		good: paint("green")
	};
}
makePalette((format) => (text) => styleText(format, text, { validateStream: false }));
const plain = makePalette(() => (text) => text);
const signs = {
	added: "+",
	removed: "-",
	changed: "~",
	faint: "=",
	good: "✓",
	warning: "!",
	error: "✗"
};
function signOf(colour, palette) {
	return palette[colour](signs[colour]);
}
function renderOutcomesText(applied, { palette, verbose }) {
	const { outcomes, counts } = describeOutcomes(applied);
	return `${[
		...outcomes.flatMap((outcome) => [...outcomeLines(outcome, palette), ...verbose ? accountLines(outcome, palette) : []]),
		"",
		`${palette.strong("Apply:")} ${counts}.`
	].join("\n")}\n`;
}
function outcomeLines(outcome, palette) {
	const { result, label, gravity, error, note } = outcome;
	const { faint, strong } = palette;
	return [
		`${signOf(gravity, palette)} ${strong(sanitizeLine(label))}  ${result}${versions(outcome, palette)}`,
		...note === void 0 ? [] : [`    ${sanitizeLine(note)}`],
		...error ? [`    ${sanitizeLine(error.message)}`] : [],
		...error?.hint === void 0 ? [] : [`    ${faint(sanitizeLine(error.hint))}`]
	];
}
function versions(outcome, palette) {
	const { versionBefore, versionAfter } = outcome;
	if (versionBefore === void 0 || versionAfter === void 0) return "";
	return `  ${palette.faint(sanitizeLine(`version ${versionBefore} → ${versionAfter}`))}`;
}
const longestAccount = 200;
function accountLines({ account }, palette) {
	return account.map(({ field, change }) => `${field}: ${clip(change, longestAccount)}`).map((line) => `    ${palette.faint(sanitizeLine(line))}`);
}
function diagnosticLines(diagnostic, palette, lineOf) {
	const { code, severity, message, hint, source } = diagnostic;
	return [
		`${source ? `${sanitizeLine(source.file)}:${source.line}:${source.column}: ` : ""}${palette[severity === "information" ? "faint" : severity](`${severity}:`)} ${sanitizeLine(message)} ${palette.faint(`[${code}]`)}`,
		...source && lineOf ? excerptLines(source, lineOf, palette) : [],
		...hint === void 0 ? [] : [`  ${sanitizeLine(hint)}`]
	];
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
function renderValidationText(validation, palette, lineOf) {
	const problems = validation.diagnostics.map((diagnostic) => diagnosticLines(diagnostic, palette, lineOf).join("\n"));
	const { found, good } = describeValidation(validation);
	const opening = found.length > 0 ? `${totalsText(found, palette)};` : palette.good("No problems:");
	return `${[...problems, `${opening} ${good}.`].join("\n\n")}\n`;
}
function totalsText(totals, palette) {
	return totals.map(({ words, gravity }) => gravity ? palette[gravity](words) : words).join(", ");
}
function renderPlanText(plan, { palette, detail }) {
	const all = detail === "all";
	const report = describePlan(plan, { all });
	const contracts = [...report.contracts.map((contract) => contractLines(contract, palette)), ...nameLines(report, palette, all)];
	return `${[
		...report.diagnostics.map((diagnostic) => diagnosticLines(diagnostic, palette)),
		...detail === "totals" ? [] : contracts,
		closingLines(report, palette)
	].filter((lines) => lines.length > 0).map((lines) => lines.join("\n")).join("\n\n")}\n`;
}
const mostNames = 10;
function nameLines({ unmanaged, leftOut }, palette, all) {
	const live = count$1(unmanaged.length, "live contract stands", "live contracts stand");
	const without = count$1(leftOut.names.length, "contract was", "contracts were");
	return [{
		head: `${live} in no file that was read, and will be left alone:`,
		names: unmanaged
	}, {
		head: `${without} left out by ${sanitizeLine(leftOut.flags)}:`,
		names: leftOut.names
	}].map(({ head, names }) => {
		const shown = all ? names : names.slice(0, mostNames);
		const rest = names.length - shown.length;
		return [
			...names.length > 0 ? [head] : [],
			...shown.map((name) => `  ${palette.faint(sanitizeLine(name))}`),
			...rest > 0 ? [palette.faint(`  … and ${rest} more (--all names them)`)] : []
		];
	});
}
function closingLines(report, palette) {
	const { planHash, obstacle, hasChanges, totals } = report;
	if (planHash === void 0) return [palette.error("No plan was made.")];
	const noChanges = obstacle === void 0 ? palette.good : palette.error;
	return [`${hasChanges ? palette.strong("Plan:") : noChanges("No changes.")} ${totalsText(totals, palette)}.`, palette.faint(`Plan hash: ${planHash}`)];
}
function contractLines(contract, palette) {
	const { verdict, label, source, problems, reasons, fields } = contract;
	const { error, warning, faint, strong } = palette;
	const [colour, sign] = verdictSigns[verdict];
	const word = verdict === "blocked" ? `  ${error(verdict)}` : "";
	const place = faint(`${sanitizeLine(source.file)}:${source.line}`);
	return [
		`${palette[colour](sign)} ${strong(sanitizeLine(label))}${word}  ${place}`,
		...transitionLines(contract, palette),
		...versionLines(contract, palette),
		...problems.flatMap((problem) => indent(diagnosticLines(problem, palette))),
		...reasons.flatMap(({ message, hint }) => [`  ${warning(message)}`, ...hint === void 0 ? [] : [`  ${faint(hint)}`]]),
		...fields.flatMap(({ changes }) => changes.flatMap((change) => changeLines(change, palette)))
	];
}
const verdictSigns = {
	update: ["changed", "~"],
	blocked: ["error", "!"],
	missing: ["warning", "?"],
	unchanged: ["faint", "="]
};
function transitionLines({ transition }, palette) {
	if (!transition) return [];
	const [from, to] = [transition.from, transition.to].map((status) => status === null ? "no status" : sanitizeLine(status));
	const move = palette.strong(`${from} → ${to}`);
	return [`  ${palette.changed("»")} ${move}${lineNumber(transition, palette)}`];
}
function versionLines({ versions }, palette) {
	if (versions?.expected === void 0) return [];
	const { before, expected } = versions;
	return [`  ${palette.faint(`version ${sanitizeLine(before)} → ${expected} (expected)`)}`];
}
function lineNumber({ source }, palette) {
	return source ? `  ${palette.faint(`:${source.line}`)}` : "";
}
const contextLines = 1;
const longestInline = 100;
function changeLines(change, palette) {
	const { sign, label, movement, before, after } = change;
	const headline = `  ${movement === void 0 ? signOf(sign, palette) : palette.changed(">")} ${sanitizeLine(label)}`;
	const line = lineNumber(change, palette);
	if (movement !== void 0) return [`${headline}  ${palette.faint(sanitizeLine(movement))}${line}`];
	const sides = inlineLines(change, longestInline);
	if (sides) return [`${headline}  ${sides.map(({ kind, text }) => palette[kind](sanitizeLine(text))).join(" → ")}${line}`];
	const lines = differingLines(before, after, contextLines);
	return [`${headline}${line}`, ...indent(lines.map((body) => bodyLine(body, palette)))];
}
function bodyLine({ kind, text }, { faint, ...palette }) {
	const line = `    ${lineSigns[kind]} ${sanitizeLine(text)}`;
	if (kind === "context") return line;
	return kind === "gap" ? faint(line) : palette[kind](line);
}
function indent(lines) {
	return lines.map((line) => `  ${line}`);
}
function renderResult(result, options) {
	switch (result.kind) {
		case "plan": return renderPlanMarkdown(result.plan, {
			...options,
			comparison: result.comparison
		});
		case "apply": {
			const { plan, outcomes, comparison } = result;
			return renderOutcomesMarkdown(plan, outcomes, {
				...options,
				comparison
			});
		}
		case "validation": return renderValidationMarkdown(result.validation, {
			...options,
			notice: result.notice
		});
	}
}
function resultText(result) {
	if (result.kind === "validation") return renderValidationText(result.validation, plain, () => void 0);
	const planText = renderPlanText(result.plan, {
		palette: plain,
		detail: "changes"
	});
	if (result.kind === "plan" || result.outcomes.outcomes.length === 0) return planText;
	return `${planText}\n${renderOutcomesText(result.outcomes, {
		palette: plain,
		verbose: false
	})}`;
}
function verdictOf(result) {
	switch (result.kind) {
		case "plan": return planVerdict(result.plan);
		case "apply": return outcomesVerdict(result.outcomes);
		case "validation": return describeValidation(result.validation).verdict;
	}
}
const commentBudget = 6e4;
const mostPacked = 2e4;
async function reportComment(step, shown, { options, original }) {
	const { github, inputs, log } = step;
	const target = targetOf(step, shown);
	if (!github || !target || inputs.comment === "off") return;
	const { pull, worthCreating } = target;
	const header = headerOf(step, target, original);
	const budget = commentBudget - Buffer.byteLength(formatHeader(header));
	const page = renderResult(shown, {
		...options,
		budget,
		rest: restOf(step)
	});
	const comment = {
		header,
		markdown: step.redactor.redact(page)
	};
	try {
		const mode = inputs.comment;
		const result = await putComment(github, pull.number, comment, {
			mode,
			worthCreating
		});
		log.text(`Comment of pull request ${pull.number}: ${result}.`);
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
	return writeSummary(step, summary);
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
const mostOfAKind = 10;
function annotationsOf(result) {
	const room = {
		error: result.failure ? 9 : mostOfAKind,
		warning: mostOfAKind,
		information: mostOfAKind
	};
	return firstOfEachSeverity(problemsOf(result), room);
}
function problemsOf(result) {
	switch (result.kind) {
		case "plan": return problemsAtLines(result.plan);
		case "apply": return problemsAtLines(result.plan, { isApplied: true });
		case "validation": return sortByGravity(result.validation.diagnostics);
	}
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
process.exitCode = await runAction(systemRunner());
export {};
