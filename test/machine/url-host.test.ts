import { expect, it } from 'vitest'
import { hostIn } from '../../src/machine/url-host.ts'

it.each([
  ['https://example.com:8080/a', 'example.com'],
  ['no url', undefined],
  [undefined, undefined],
])('the host of %s is %s', (url, host) => {
  expect(hostIn(url)).toBe(host)
})
