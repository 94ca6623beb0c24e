/** Whether a host is this machine, which is never reached through a proxy. */
export function isThisMachine(hostname: string): boolean {
  const host = bare(hostname)
  return /(^|\.)localhost$/.test(host) || /^127\.\d+\.\d+\.\d+$/.test(host) || host === '::1'
}

/**
 * Whether a `NO_PROXY` list, separated by commas or spaces, covers a URL's host. A name (also `.name`, `*.name`) covers its
 * subdomains. Addresses, networks (`10.0.0.0/8`) and `*` also work. An entry may end in a port.
 */
export function isExempt(target: URL, list: string): boolean {
  const host = bare(target.hostname)
  const port = target.port || (target.protocol === 'https:' ? '443' : '80')
  return list.split(/[\s,]+/).some((entry) => entry !== '' && matches(entry.toLowerCase(), host, port))
}

function matches(entry: string, host: string, port: string): boolean {
  if (entry === '*') return true
  const [, inBrackets, plain = '', wanted = port] = /^(?:\[([^\]]*)\]|([^:]*))(?::(\d+))?$/.exec(entry) ?? [
    entry,
    entry,
  ]
  const name = (inBrackets ?? plain).replace(/^\*?\./, '').replace(/\.$/, '')
  if (wanted !== port || name === '') return false
  return name === host || host.endsWith(`.${name}`) || isWithin(host, name)
}

/** Whether an address equals another in any notation, or lies within a network. */
function isWithin(host: string, network: string): boolean {
  const { BlockList, isIP } = process.getBuiltinModule('node:net')
  const [address = '', prefix] = network.split('/')
  const family = isIP(address)
  if (family === 0 || isIP(host) !== family) return false
  const type = family === 4 ? 'ipv4' : 'ipv6'
  const bits = prefix === undefined ? (family === 4 ? 32 : 128) : Number(prefix)
  if (!Number.isInteger(bits) || bits < 0 || bits > (family === 4 ? 32 : 128)) return false
  const block = new BlockList()
  block.addSubnet(address, bits, type)
  return block.check(host, type)
}

function bare(hostname: string): string {
  return hostname
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
}
