import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import { onTestFinished } from 'vitest'

/** A version of a package that the registry serves. */
export interface Release {
  readonly name: string
  readonly version: string
  readonly tarball: Uint8Array
  /** The integrity that the registry states. Default: the hash of the tarball. */
  readonly integrity?: string | null
  /** Fields of its package.json. */
  readonly fields?: object
}

export interface Registry {
  readonly url: string
  /** The paths of all requests, each with its `authorization`. */
  readonly requests: readonly string[]
  publish(release: Release): void
}

/** Serves packages on a port of this machine, as npm asks for them. Closed after the test. */
export async function startRegistry(): Promise<Registry> {
  const releases: Release[] = []
  const requests: string[] = []
  const server = createServer(({ url = '/', headers }, response) => {
    const path = decodeURIComponent(url)
    requests.push(`${path} ${headers.authorization ?? ''}`.trim())
    const packed = releases.find(({ name, version }) => path === `/${name}/-/${version}.tgz`)
    const versions = releases.filter(({ name }) => path === `/${name}`)
    if (packed !== undefined) response.end(packed.tarball)
    else if (versions.length > 0) response.end(JSON.stringify(document(versions, registry.url)))
    else response.writeHead(404).end('{"error":"not found"}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const registry = {
    url: `http://127.0.0.1:${port}`,
    requests,
    publish: (release: Release) => void releases.push(release),
  }
  return registry
}

function document(releases: readonly Release[], url: string): object {
  const { name = '', version: latest = '' } = releases.at(-1) ?? {}
  const versions = releases.map(({ version, tarball, integrity, fields }) => [
    version,
    {
      ...fields,
      name,
      version,
      dist: {
        tarball: `${url}/${name}/-/${version}.tgz`,
        ...(integrity !== null && { integrity: integrity ?? sha512(tarball) }),
      },
    },
  ])
  return { name, 'dist-tags': { latest }, versions: Object.fromEntries(versions) }
}

function sha512(bytes: Uint8Array): string {
  return `sha512-${createHash('sha512').update(bytes).digest('base64')}`
}
