import { join } from 'node:path'
import { PipeError } from '../../error.ts'
import { sha256 } from '../../files/lazy-crypto.ts'
import type { PatientLockOptions } from '../../files/lock/lock.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../json-value.ts'
import { readPrivateFile, writePrivateFile } from '../private-file.ts'

/** Project content that takes effect only after the user approves it by its hash. */
export type ContentKind = (typeof contentKinds)[number]

const contentKinds = [
  ...(['permissions.allow', 'permissions.mode', 'folders'] as const),
  ...(['agent', 'mcp_server', 'hooks', 'import', 'skill', 'programs'] as const),
] as const

/** The user's decision on one content of a project. */
export interface ContentVerdict {
  readonly kind: ContentKind
  /** From `contentHash`. */
  readonly hash: string
  readonly approved: boolean
}

/** The user's decision on a folder. */
export interface TrustRecord {
  readonly trusted: boolean
  /** Time of the decision in ISO 8601. */
  readonly at: string
  readonly contents: readonly ContentVerdict[]
}

export interface TrustFile {
  /** By the real path of the project's root. */
  readonly folders: ReadonlyMap<string, TrustRecord>
  /** Says that the file was open to other users until now. */
  readonly warnings: readonly string[]
}

/** SHA-256 of a value in hex, which an approval is bound to. Any change gives another hash. */
export function contentHash(value: JsonValue): string {
  return sha256(JSON.stringify(value))
}

/** Path of the trust file in the user's config folder. */
function trustPath(config: string): string {
  return join(config, 'trust.json')
}

/** Reads the decisions so far; none if there is no file. Throws `config` naming the file if it is broken. */
export async function readTrustFile(config: string): Promise<TrustFile> {
  const path = trustPath(config)
  const { fields, warnings } = await readPrivateFile(path)
  return { folders: fields === undefined ? new Map() : readFolders(fields, path), warnings }
}

/** Stores a decision on a folder; decisions on its other contents stay. Throws like `changeKeys`. */
export async function recordTrust(
  config: string,
  root: string,
  record: TrustRecord,
  holder: PatientLockOptions,
): Promise<void> {
  const isNew = (old: ContentVerdict) =>
    !record.contents.some(({ kind, hash }) => kind === old.kind && hash === old.hash)
  await changeFolders(config, holder, (folders) => {
    const kept = folders.get(root)?.contents.filter(isNew) ?? []
    folders.set(root, { ...record, contents: [...kept, ...record.contents] })
  })
}

/** Deletes the decision on a folder. */
export async function forgetTrust(config: string, root: string, holder: PatientLockOptions): Promise<void> {
  await changeFolders(config, holder, (folders) => folders.delete(root))
}

async function changeFolders(
  config: string,
  holder: PatientLockOptions,
  change: (folders: Map<string, TrustRecord>) => void,
): Promise<void> {
  const compose = async () => {
    const folders = new Map((await readTrustFile(config)).folders)
    change(folders)
    return { folders: Object.fromEntries([...folders].map(([root, record]) => [root, encode(record)])) }
  }
  await writePrivateFile(trustPath(config), compose, holder)
}

function encode({ trusted, at, contents }: TrustRecord): JsonObject {
  return { trusted, at, contents: contents.map(({ kind, hash, approved }) => ({ kind, hash, approved })) }
}

function readFolders({ folders }: JsonObject, path: string): ReadonlyMap<string, TrustRecord> {
  if (!isJsonObject(folders)) return broken(path)
  return new Map(Object.entries(folders).map(([root, value]) => [root, readRecord(value) ?? broken(path)]))
}

function broken(path: string): never {
  throw new PipeError('config', `${path} is damaged: repair it, or delete it and trust your folders again`)
}

function readRecord(value: JsonValue): TrustRecord | undefined {
  if (!isJsonObject(value)) return undefined
  const { trusted, at, contents } = value
  if (typeof trusted !== 'boolean' || typeof at !== 'string' || !Array.isArray(contents)) return undefined
  const verdicts = contents.flatMap((one) => readVerdict(one) ?? [])
  return verdicts.length === contents.length ? { trusted, at, contents: verdicts } : undefined
}

function readVerdict(value: JsonValue): ContentVerdict | undefined {
  if (!isJsonObject(value)) return undefined
  const { kind, hash, approved } = value
  const known = contentKinds.find((one) => one === kind)
  if (known === undefined || typeof hash !== 'string' || typeof approved !== 'boolean') return undefined
  return { kind: known, hash, approved }
}
