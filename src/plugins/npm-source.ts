import { ok, type Result, refused } from '../machine/result.ts'
import { omitUndefined } from '../omit-undefined.ts'

/** A package of npm. */
export interface NpmSource {
  readonly type: 'npm'
  readonly package: string
  /** A version, a range or a tag. Default: the newest. */
  readonly version?: string
  /** The address of a registry. Default: that of the user's npm. */
  readonly registry?: string
}

/** Reads `npm:NAME` or `npm:NAME@VERSION`. `undefined` for another text. */
export function readPackage(text: string): Result<NpmSource> | undefined {
  const [, name, version] = /^npm:(@?[^@]*)(?:@(.*))?$/s.exec(text) ?? []
  return name === undefined ? undefined : npmSource({ package: name, ...omitUndefined({ version }) })
}

const nameForm = /^(@[a-z0-9~][a-z0-9._~-]*\/)?[a-z0-9~][a-z0-9._~-]*$/i
const versionForm = /^[0-9A-Za-z^~<>=*][0-9A-Za-z.^~<>=*+| -]*$/
const registryForm = /^https?:\/\/[A-Za-z0-9[][A-Za-z0-9.:[\]-]*(\/[\w.~%/-]*)?$/
const longest = 214

/** Checks the parts of a package, so that none of them is an option, a file or an address for npm. */
export function npmSource(parts: Omit<NpmSource, 'type'>): Result<NpmSource> {
  const { package: name, version, registry } = parts
  if (!nameForm.test(name) || isFile(name)) return refused(`${quotedSource(name)} is no name of a package`)
  if (version !== undefined && (!versionForm.test(version) || isFile(version)))
    return refused(`${quotedSource(version)} is no version of a package`)
  if (registry !== undefined && !registryForm.test(registry))
    return refused(`${quotedSource(registry)} is no address of a registry`)
  return ok({ type: 'npm', package: name, ...omitUndefined({ version, registry }) })
}

/** npm reads a name with such an end as a file. */
function isFile(text: string): boolean {
  return text.length > longest || /\.(tgz|tar|tar\.gz)$/i.test(text)
}

/** Quotes the beginning of what a file says of a source. */
export function quotedSource(text: string): string {
  return JSON.stringify(text.slice(0, 120))
}
