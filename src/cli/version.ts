import manifest from '../../package.json' with { type: 'json' }

export const version: string = manifest.version

/** The answer to `--version`. */
export function versionLine(isOneFile: boolean): string {
  return `${version}${isOneFile ? ' (one file)' : ''}\n`
}

/** Names pipe to servers. */
export const userAgent = `pipe/${version}`
