import { describe, expect, it } from 'vitest'
import { describeProxy, readProxies } from '../../src/http/proxy.ts'
import { thrown } from '../support/thrown.ts'

/** The displayed proxy for an address in this environment, or `directly`. */
function way(env: Record<string, string>, url: string): string {
  const proxy = readProxies(env)?.(new URL(url))
  return proxy === undefined ? 'directly' : describeProxy(proxy)
}

const secure = 'https://api.example.com/v1'
const plain = 'http://api.example.com/v1'

describe('the proxy that the environment names', () => {
  it('is undefined without a variable, or with empty ones', () => {
    expect(readProxies({})).toBeUndefined()
    expect(readProxies({ https_proxy: '', HTTP_PROXY: ' ', NO_PROXY: '*' })).toBeUndefined()
  })

  it.each([
    ['HTTPS_PROXY', secure, 'directly'],
    ['https_proxy', secure, 'directly'],
    ['HTTP_PROXY', plain, 'directly'],
    ['http_proxy', plain, 'directly'],
    ['ALL_PROXY', secure, ''],
    ['all_proxy', plain, ''],
  ])('comes from %s', (name, url, other) => {
    const env = { [name]: 'http://proxy:3128' }
    const expected = `proxy http://proxy:3128 (${name})`
    expect(way(env, url)).toBe(expected)
    expect(way(env, url === secure ? plain : secure)).toBe(other || expected)
  })

  it('prefers lower-case variables, and the scheme to ALL_PROXY', () => {
    const all = { ALL_PROXY: 'http://a:1', HTTPS_PROXY: 'http://b:1', https_proxy: 'http://c:1' }
    expect(way(all, secure)).toBe('proxy http://c:1 (https_proxy)')
    expect(way(all, plain)).toBe('proxy http://a:1 (ALL_PROXY)')
    expect(way({ ...all, https_proxy: '' }, secure)).toBe('proxy http://b:1 (HTTPS_PROXY)')
  })

  it('ignores HTTP_PROXY under CGI, as a request may have set it', () => {
    const cgi = { HTTP_PROXY: 'http://evil:1', REQUEST_METHOD: 'POST' }
    expect(way(cgi, plain)).toBe('directly')
    expect(way({ ...cgi, http_proxy: 'http://good:1' }, plain)).toBe('proxy http://good:1 (http_proxy)')
  })

  it('accepts a value without a scheme, and one with https', () => {
    expect(way({ HTTPS_PROXY: 'proxy:3128' }, secure)).toBe('proxy http://proxy:3128 (HTTPS_PROXY)')
    expect(way({ HTTPS_PROXY: 'https://proxy/' }, secure)).toBe('proxy https://proxy (HTTPS_PROXY)')
  })

  it.each([
    ['http://user:p%40ss@proxy:1', 'user:p@ss'],
    ['user:100%@proxy:1', 'user:100%'],
    ['http://token@proxy:1', 'token:'],
  ])('moves credentials from the URL to a header: %s', (value, credentials) => {
    const proxy = readProxies({ HTTPS_PROXY: value })?.(new URL(secure))
    expect(proxy).toEqual({
      url: new URL('http://proxy:1'),
      variable: 'HTTPS_PROXY',
      authorization: `Basic ${Buffer.from(credentials).toString('base64')}`,
    })
  })

  it.each([
    ['socks5://user:secret@proxy:1080', /^ALL_PROXY: socks5:\/\/ proxies are not supported/],
    ['http://user:secret@pro xy', /^ALL_PROXY is not a proxy URL/],
    ['http://', /^ALL_PROXY is not a proxy URL/],
  ])('refuses an invalid value without showing its secrets: %s', async (value, message) => {
    const error = await thrown(async () => way({ ALL_PROXY: value }, secure))
    expect(error).toMatchObject({ code: 'config', message: expect.stringMatching(message) })
    expect(String(error)).not.toContain('secret')
  })

  it.each(['http://localhost:1', 'http://a.localhost', 'http://127.1.2.3:80', 'http://[::1]:80'])(
    'is bypassed for this machine: %s',
    (url) => {
      expect(way({ ALL_PROXY: 'socks5://proxy' }, url)).toBe('directly')
    },
  )
})

describe('NO_PROXY', () => {
  it.each([
    ['*', 'https://a.example', true],
    ['example.com', 'https://example.com', true],
    ['example.com', 'https://api.example.com', true],
    ['example.com', 'https://badexample.com', false],
    ['.example.com', 'https://api.example.com', true],
    ['.example.com', 'https://example.com', true],
    ['*.example.com', 'https://api.example.com', true],
    ['EXAMPLE.com.', 'https://api.Example.COM.', true],
    ['a, b  c,,example.com', 'https://example.com', true],
    ['example.com:443', 'https://example.com', true],
    ['example.com:8443', 'https://example.com', false],
    ['example.com:8443', 'https://example.com:8443', true],
    ['example.com:80', 'http://example.com', true],
    ['10.0.0.0/8', 'http://10.1.2.3', true],
    ['10.0.0.0/8', 'http://11.1.2.3', false],
    ['10.0.0.0/8', 'http://10.example.com', false],
    ['10.0.0.0/33', 'http://10.1.2.3', false],
    ['192.168.1.1', 'http://192.168.1.1:8080', true],
    ['fd00::/8', 'http://[fd12::1]', true],
    ['fd12:0::1', 'http://[fd12::1]', true],
    ['[fd12::1]:80', 'http://[fd12::1]', true],
    ['[fd12::1]:81', 'http://[fd12::1]', false],
    ['', 'http://a.example', false],
    ['.', 'http://a.example', false],
  ])('%j, %s', (list, url, isDirect) => {
    expect(way({ ALL_PROXY: 'http://p:1', NO_PROXY: list }, url) === 'directly').toBe(isDirect)
  })

  it('prefers the lower-case variable', () => {
    const env = { ALL_PROXY: 'http://p:1', NO_PROXY: '*', no_proxy: 'a.example' }
    expect([way(env, 'http://a.example'), way(env, 'http://b.example')]).toEqual([
      'directly',
      'proxy http://p:1 (ALL_PROXY)',
    ])
  })
})
