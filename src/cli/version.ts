import manifest from '../../package.json' with { type: 'json' }

export const version: string = manifest.version

/** Names pipe to servers. */
export const userAgent = `pipe/${version}`
