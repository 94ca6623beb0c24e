import { posix } from 'node:path'
import { isJsonObject, type JsonObject, type JsonValue } from '../json-value.ts'
import { ok, type Result, refused } from '../machine/result.ts'
import { omitUndefined } from '../omit-undefined.ts'
import { type NpmSource, npmSource, quotedSource } from './npm-source.ts'

/** Where a plugin or a marketplace comes from. */
export type PluginSource = FolderSource | FetchedSource

/** A source on another machine. */
export type FetchedSource = GitSource | NpmSource

/** A folder on this machine, which is copied. */
export interface FolderSource {
  readonly type: 'folder'
  /** Absolute. */
  readonly path: string
}

/** A git repository, or a folder of one. */
export interface GitSource {
  readonly type: 'git'
  readonly url: string
  /** A branch or tag. Default: what HEAD names there. */
  readonly ref?: string
  /** The commit that it must be. */
  readonly sha?: string
  /** The folder in it. Default: its root. */
  readonly path?: string
}

/** Addresses that git may fetch from. Others could name a program, or an option. */
const addresses = [
  /^(https?|ssh|git):\/\/[A-Za-z0-9[][^\s\p{C}]*$/u,
  /^file:\/\/\/[^\p{C}]*$/u,
  /^[A-Za-z0-9][\w.-]*@[A-Za-z0-9][\w.-]*:[^\s\p{C}-][^\s\p{C}]*$/u,
]
const repositoryName = /^[A-Za-z0-9][\w.-]*\/[A-Za-z0-9_.][\w.-]*$/

/** Whether a text is an address of a git repository. */
function isRepositoryUrl(text: string): boolean {
  return addresses.some((form) => form.test(text))
}

/** Reads `OWNER/REPO`, or an address, each with `#REF` behind it if wanted. `undefined` for another text. */
export function readRepository(text: string): Result<GitSource> | undefined {
  const [, address = text, ref] = /^(.*?)#([^#]*)$/s.exec(text) ?? []
  const isShort = repositoryName.test(address)
  if (!isShort && !isRepositoryUrl(address)) return undefined
  return gitSource({ url: isShort ? hosted(address) : address, ...omitUndefined({ ref }) })
}

function hosted(repository: string): string {
  return `https://github.com/${repository.replace(/\.git$/, '')}.git`
}

/** Checks the parts of a git source, so that none of them is an option of git or leads out of the repository. */
export function gitSource(parts: Omit<GitSource, 'type'>): Result<GitSource> {
  const { url, ref, sha, path } = parts
  if (!isRepositoryUrl(url)) return refused(`${quotedSource(url)} is no address of a git repository`)
  if (ref !== undefined && (!/^[A-Za-z0-9_][\w./+@-]{0,200}$/.test(ref) || /\.\.|@\{/.test(ref)))
    return refused(`${quotedSource(ref)} is no branch or tag`)
  if (sha !== undefined && !/^[0-9a-f]{40}([0-9a-f]{24})?$/.test(sha))
    return refused(`${quotedSource(sha)} is no whole commit`)
  const inside = path === undefined ? ok('') : pathInside(path)
  if (inside.type === 'refused') return inside
  return ok({ type: 'git', url, ...omitUndefined({ ref, sha, path: inside.value || undefined }) })
}

/** Returns a relative path without `./`, empty for the folder itself. Refuses one that leads out. */
export function pathInside(path: string): Result<string> {
  const plain = posix.normalize(path.replaceAll('\\', '/')).replace(/\/+$/, '')
  const leads = posix.isAbsolute(plain) || plain === '..' || plain.startsWith('../') || /\p{C}/u.test(path)
  if (leads) return refused(`the path ${quotedSource(path)} leads out`)
  return ok(plain === '.' ? '' : plain)
}

/** The place that an entry of a marketplace names: a folder of the marketplace, a repository or a package. */
export type EntrySource = { readonly type: 'inside'; readonly path: string } | FetchedSource

/** Reads the field `source` of an entry, in the forms of several agents. */
export function readEntrySource(value: JsonValue | undefined, pluginRoot: string): Result<EntrySource> {
  if (typeof value === 'string') return insideOf(value, pluginRoot)
  if (!isJsonObject(value)) return refused('it has no source')
  const kind = value['source'] ?? value['type']
  const [repo, url, path] = [text(value, 'repo'), text(value, 'url'), text(value, 'path')]
  if (kind === 'local' || kind === 'directory' || kind === 'path') return insideOf(path ?? '', '')
  if (kind === 'npm')
    return npmSource({
      package: text(value, 'package') ?? '',
      ...omitUndefined({ version: text(value, 'version'), registry: text(value, 'registry') }),
    })
  if (kind !== 'github' && kind !== 'url' && kind !== 'git' && kind !== 'git-subdir')
    return refused(`a source of the kind ${quotedSource(String(kind))} is not supported`)
  const address = url ?? repo ?? ''
  const full = repositoryName.test(address) ? hosted(address) : address
  return gitSource({
    url: full,
    ...omitUndefined({ ref: text(value, 'ref'), sha: text(value, 'sha'), path }),
  })
}

function insideOf(path: string, pluginRoot: string): Result<EntrySource> {
  const inside = pathInside(path.startsWith('.') ? path : posix.join(pluginRoot, path))
  return inside.type === 'refused' ? inside : ok({ type: 'inside', path: inside.value })
}

function text(value: JsonObject, name: string): string | undefined {
  const found = value[name]
  return typeof found === 'string' && found !== '' ? found : undefined
}

/** Names a source to people, in a form that `pipe plugin add` takes where it can. */
export function describeSource(source: PluginSource): string {
  if (source.type === 'folder') return source.path
  if (source.type === 'npm') {
    const { package: name, version, registry } = source
    const at = version === undefined ? '' : `@${version}`
    return `npm:${name}${at}${registry === undefined ? '' : ` from ${registry}`}`
  }
  const { url, ref, sha, path } = source
  const at = [ref && ` at ${ref}`, sha && `, commit ${sha.slice(0, 12)}`, path && `, folder ${path}`]
  return `${withoutPassword(url)}${at.filter(Boolean).join('')}`
}

function withoutPassword(url: string): string {
  return url.replace(/^(\w+:\/\/)[^/@]*@/, (_, scheme: string) => `${scheme}…@`)
}

/** Writes a source for the record. */
export function encodeSource(source: PluginSource): JsonObject {
  return { ...source }
}

/** Reads a source of the record; `undefined` for one that could not be there. */
export function decodeSource(value: JsonValue | undefined): PluginSource | undefined {
  if (!isJsonObject(value)) return undefined
  const path = text(value, 'path')
  if (value['type'] === 'folder') return path?.startsWith('/') === true ? { type: 'folder', path } : undefined
  if (value['type'] === 'npm') {
    const parts = { version: text(value, 'version'), registry: text(value, 'registry') }
    const read = npmSource({ package: text(value, 'package') ?? '', ...omitUndefined(parts) })
    return read.type === 'ok' ? read.value : undefined
  }
  const parts = { ref: text(value, 'ref'), sha: text(value, 'sha'), path }
  const read = gitSource({ url: text(value, 'url') ?? '', ...omitUndefined(parts) })
  return value['type'] === 'git' && read.type === 'ok' ? read.value : undefined
}
