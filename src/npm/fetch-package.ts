import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { isPipeError, PipeError } from '../error.ts'
import { makePrivateFolder } from '../files/private-folder.ts'
import { fileError } from '../files/system-error.ts'
import { removeTree } from '../files/writing/remove-tree.ts'
import { isJsonObject, type JsonObject, type JsonValue, parseJson, textField } from '../json-value.ts'
import { type CommandRunner, unfinished } from '../machine/running-command.ts'
import { type PackedFile, readTarball, type TarballLimits } from './tarball.ts'

/** Names the package to fetch. The caller checks its texts: none is an option, a path or an address. */
export interface WantedPackage {
  readonly package: string
  /** A version, a range or a tag. Default: the tag `latest`. */
  readonly version?: string
  /** Default: that of the user's npm. */
  readonly registry?: string
}

export interface PackageOptions {
  readonly commands: CommandRunner
  /** The `PATH` on which npm and its Node are, without the project's folders. */
  readonly searchPath: string
  /** Variables for proxies, certificates and the user's settings of npm. */
  readonly env: Readonly<Record<string, string>>
  readonly most: TarballLimits
  readonly signal: AbortSignal
}

const timeoutMs = 180_000
/** Bytes of a document that npm prints. */
const mostOutput = 4 * 1024 * 1024

/**
 * Fetches a package with the user's npm and writes its files into a new folder. Runs none of its scripts and installs no other package. Returns
 * its version. Throws `tool` if npm cannot get it, and `invalid` if it is not what the registry states, or no plain package within the limits.
 */
export async function fetchPackage(
  wanted: WantedPackage,
  into: string,
  options: PackageOptions,
): Promise<string> {
  const work = `${into}.npm`
  makePrivateFolder(work)
  try {
    const npm = npmIn(work, wanted, options)
    const packed = firstObject(await npm(['pack', `${wanted.package}@${wanted.version ?? 'latest'}`]))
    const [name, version, file] = ['name', 'version', 'filename'].map((field) => textField(packed, field))
    if (
      name !== wanted.package ||
      version === undefined ||
      !/^\d[\w.+-]*$/.test(version) ||
      file === undefined
    )
      throw new PipeError('tool', `npm did not say which package it fetched for ${wanted.package}`)
    // npm checks what it fetches by its own copy of the registry's document. This asks anew, and hashes the file that is unpacked.
    const stated = textField(
      firstObject(await npm(['view', `${name}@${version}`, 'version', 'dist']))['dist'],
      'integrity',
    )
    const bytes = readPacked(join(work, basename(file)))
    requireIntegrity(bytes, stated, `${name}@${version}`)
    for (const one of readTarball(bytes, options.most)) writeFile(into, one)
    return version
  } finally {
    await removeTree(work)
  }
}

type Npm = (args: readonly string[]) => Promise<string>

function npmIn(work: string, { package: name, registry }: WantedPackage, options: PackageOptions): Npm {
  const { commands, searchPath, env, most, signal } = options
  const scope = /^(@[^/]+)\//.exec(name)?.[1]
  const from = registry === undefined ? [] : [`--registry=${registry}`]
  // A scope may have a registry of its own in the user's settings.
  const scoped = registry === undefined || scope === undefined ? [] : [`--${scope}:registry=${registry}`]
  const flags = [
    ...['--json', '--ignore-scripts', '--no-workspaces', '--no-update-notifier', '--loglevel=error'],
    // Keeps npm from looking for a project above, whose settings would count.
    ...[`--prefix=${work}`, `--pack-destination=${work}`, `--cache=${join(work, 'cache')}`, '--logs-max=0'],
    // npm waits a minute between its usual tries, and takes a wrong hash for a reason to try again.
    ...['--fetch-retries=1', '--fetch-retry-mintimeout=200', '--fetch-retry-maxtimeout=1000'],
    ...[...from, ...scoped],
  ]
  return async (args) => {
    const blocks = String(Math.ceil(most.bytes / 512))
    const line = {
      file: '/bin/sh',
      args: ['-c', 'ulimit -f "$0" && exec npm "$@"', blocks, ...args, ...flags],
      cwd: work,
      env: { ...env, PATH: searchPath },
      timeoutMs,
    }
    return outputOf(commands.run(line, { signal }), args[0] ?? '')
  }
}

async function outputOf(running: ReturnType<CommandRunner['run']>, action: string): Promise<string> {
  const heard: Record<'stdout' | 'stderr', Uint8Array[]> = { stdout: [], stderr: [] }
  let bytes = 0
  try {
    for (;;) {
      const step = await running.next()
      if (step.done === true) {
        const { exitCode, timedOut } = step.value
        const [said, complaint] = [textOf(heard.stdout), textOf(heard.stderr)]
        if (timedOut) throw new PipeError('tool', `npm ${action} took too long`)
        if (exitCode === 127)
          throw new PipeError('tool', 'npm is not installed: it fetches plugins of the kind npm')
        if (exitCode !== 0) throw new PipeError('tool', `npm ${action}: ${reasonOf(said, complaint)}`)
        return said
      }
      const { stream, chunk } = step.value
      bytes += chunk.length
      if (bytes > mostOutput) throw new PipeError('tool', `npm ${action} wrote more than 4 MiB`)
      heard[stream].push(chunk)
    }
  } finally {
    await running.return(unfinished)
  }
}

/** With `--json`, npm writes its error to stdout. */
function reasonOf(stdout: string, stderr: string): string {
  const document = parseJson(stdout)
  const error = isJsonObject(document) ? document['error'] : undefined
  const [code, summary] = [textField(error, 'code'), textField(error, 'summary')]
  const said = summary === undefined ? stderr : `${code ?? ''} ${summary}`
  return said.trim().split('\n', 3).join(' ').slice(0, 400) || 'it failed'
}

/** The document, or the first one of a list. */
function firstObject(text: string): JsonObject {
  const document = parseJson(text)
  const first: JsonValue | undefined = Array.isArray(document) ? document[0] : document
  if (isJsonObject(first)) return first
  throw new PipeError('tool', 'npm wrote no JSON object')
}

function readPacked(path: string): Uint8Array {
  try {
    return readFileSync(path)
  } catch (error) {
    throw fileError(error, path, 'read')
  }
}

/** Compares the strongest hash that the registry states. SHA-1 is none. */
function requireIntegrity(bytes: Uint8Array, stated: string | undefined, name: string): void {
  const hashes = (stated ?? '').split(/\s+/).flatMap((one) => {
    const [, algorithm, value] = /^(sha512|sha384|sha256)-([A-Za-z0-9+/=]+)/.exec(one) ?? []
    return algorithm === undefined || value === undefined ? [] : [{ algorithm, value }]
  })
  const strongest = hashes.sort((a, b) => (a.algorithm < b.algorithm ? 1 : -1))[0]
  if (strongest === undefined)
    throw new PipeError('invalid', `the registry states no integrity of ${name}, so it cannot be checked`)
  const { algorithm, value } = strongest
  if (createHash(algorithm).update(bytes).digest('base64') === value) return
  throw new PipeError('invalid', `${name} is not what the registry states: its ${algorithm} differs`)
}

function writeFile(folder: string, { path, bytes, isExecutable }: PackedFile): void {
  const place = join(folder, path)
  try {
    mkdirSync(dirname(place), { recursive: true, mode: 0o700 })
    writeFileSync(place, bytes, { mode: isExecutable ? 0o700 : 0o600, flag: 'wx' })
  } catch (error) {
    if (isPipeError(error)) throw error
    throw fileError(error, place, 'write')
  }
}

function textOf(chunks: readonly Uint8Array[]): string {
  return Buffer.concat(chunks).toString()
}
