import { describe, expect, it } from 'vitest'
import { isPublicAddress } from '../../src/http/public-address.ts'

describe('an address', () => {
  it.each([
    '8.8.8.8',
    '1.1.1.1',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '223.255.255.255',
    '2606:4700:4700::1111',
    '2a00:1450:4001::200e',
    '64:ff9b::808:808',
    '2002:808:808::1',
  ])('%s is public', (address) => {
    expect(isPublicAddress(address)).toBe(true)
  })

  it.each([
    ['of this machine', ['127.0.0.1', '127.255.255.254', '::1']],
    ['of no machine', ['0.0.0.0', '0.1.2.3', '::', '::127.0.0.1', '255.255.255.255', '240.0.0.1']],
    [
      'of a private network',
      ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', 'fc00::1', 'fdab::1'],
    ],
    ['of a link, including a cloud’s metadata', ['169.254.169.254', 'fe80::1', 'fe80::1%eth0']],
    ['behind a carrier’s translation', ['100.64.0.1', '100.127.255.255']],
    ['of many machines', ['224.0.0.1', '239.255.255.255', 'ff02::1']],
    [
      'for documentation and benchmarks',
      ['192.0.2.1', '198.18.0.1', '203.0.113.9', '2001:db8::1', '3fff::1'],
    ],
    ['that maps another', ['::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:8.8.8.8', '::ffff:0:127.0.0.1']],
    ['behind NAT64 for a private one', ['64:ff9b::7f00:1', '64:ff9b::169.254.169.254', '64:ff9b:1::1']],
    ['of 6to4 or Teredo for a private one', ['2002:7f00:1::', '2002:c0a8:101::1', '2001:0:1::1']],
    ['in no valid form', ['', 'localhost', '127.1', '0x7f.1', '8.8.8.8:80', '[::1]']],
  ])('%s is not public', (_, addresses) => {
    expect(addresses.filter(isPublicAddress)).toEqual([])
  })
})
