import manifest from '../../package.json' with { type: 'json' }

export const version: string = manifest.version

/** How pipe names itself to servers. */
export const userAgent = `pipe/${version}`
