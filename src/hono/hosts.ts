/** The names under which a server answers. */
export interface HostOptions {
  /** The address that it listens on; absent for a socket file, which no browser reaches. */
  readonly listening?: { readonly host: string; readonly port: number }
  /** The name of this machine. */
  readonly hostname: string
  /** More names, each alone or with a port: `pipe.example`, `pipe.example:8443`. */
  readonly hosts: readonly string[]
}

/**
 * Makes a check of the Host of requests. A page of a foreign site that lets its own name point to this machine (DNS rebinding) sends
 * that name, which is none of ours. On this machine's own addresses only its own names count, elsewhere any address does, because
 * only names can be pointed anywhere.
 */
export function hostCheck({
  listening,
  hostname,
  hosts,
}: HostOptions): (host: string | undefined) => boolean {
  if (listening === undefined) return () => true
  const named = new Set(hosts.map((one) => one.toLowerCase()))
  const isLocal = isLoopbackName(listening.host)
  return (given) => {
    const { name, port } = readHost(given?.toLowerCase() ?? '')
    if (name === undefined) return false
    if (named.has(name) || named.has(`${name}:${port}`)) return true
    if (isLocal) return port === listening.port && isOwnName(name, listening.host)
    return isAddress(name) || name === 'localhost' || name === hostname.toLowerCase()
  }
}

/** Whether an address is reached from this machine alone. */
export function isLoopbackName(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host)
}

function readHost(text: string): { readonly name: string | undefined; readonly port: number } {
  const [, name, port = '80'] = /^(\[[\da-f:.]+\]|[a-z\d._-]+)(?::(\d{1,5}))?$/.exec(text) ?? []
  return { name, port: Number(port) }
}

function isOwnName(name: string, listening: string): boolean {
  return ['127.0.0.1', 'localhost', '[::1]', listening].includes(name)
}

function isAddress(name: string): boolean {
  return name.startsWith('[') || /^\d+\.\d+\.\d+\.\d+$/.test(name)
}
