/** Networks outside the public internet, from IANA's special-purpose registries (RFC 6890): address and prefix length. */
const special4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const

/** Public IPv6 networks, apart from those in `special6`: global unicast, and IPv4 addresses behind NAT64. */
const public6 = [
  ['2000::', 3],
  ['64:ff9b::', 96],
] as const
const special6 = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['3fff::', 20],
] as const

/**
 * Whether an IPv4 or IPv6 address is public: not of this machine, its network or a special-purpose range. Judges a NAT64 or 6to4
 * address by its IPv4 address. A mapped one (`::ffff:…`) is never public.
 */
export function isPublicAddress(address: string): boolean {
  const { BlockList, isIP } = process.getBuiltinModule('node:net')
  const family = isIP(address)
  if (family === 0 || address.includes('%')) return false
  const special = new BlockList()
  if (family === 4) {
    for (const [network, prefix] of special4) special.addSubnet(network, prefix, 'ipv4')
    return !special.check(address, 'ipv4')
  }
  const open = new BlockList()
  for (const [network, prefix] of public6) open.addSubnet(network, prefix, 'ipv6')
  for (const [network, prefix] of special6) special.addSubnet(network, prefix, 'ipv6')
  for (const [network, prefix] of special4) {
    const groups = inGroups(network)
    special.addSubnet(`64:ff9b::${groups}`, 96 + prefix, 'ipv6')
    special.addSubnet(`2002:${groups}::`, 16 + prefix, 'ipv6')
  }
  return open.check(address, 'ipv6') && !special.check(address, 'ipv6')
}

/** Formats an IPv4 address as two IPv6 groups. */
function inGroups(address: string): string {
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number)
  return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`
}
