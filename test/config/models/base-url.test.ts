import { describe, expect, it } from 'vitest'
import { readBaseUrl } from '../../../src/config/models/base-url.ts'
import type { Dialect } from '../../../src/machine/model-server.ts'

describe('a base URL', () => {
  it.each<[Dialect, string, string]>([
    ['openai-chat', 'https://x.example/v1', 'https://x.example/v1'],
    ['openai-chat', ' https://x.example/v1/ ', 'https://x.example/v1'],
    ['openai-chat', 'https://x.example', 'https://x.example'],
    ['openai-responses', 'https://x.example//', 'https://x.example'],
    ['openai-chat', 'https://x.example/v1/?api-version=1#top', 'https://x.example/v1?api-version=1'],
    ['anthropic', 'https://x.example/', 'https://x.example'],
    ['anthropic', 'https://x.example/v1', 'https://x.example'],
    ['anthropic', 'https://x.example/v1/', 'https://x.example'],
    ['anthropic', 'https://x.example/api', 'https://x.example/api'],
    ['anthropic', 'https://x.example/api/v1?team=a', 'https://x.example/api?team=a'],
    ['anthropic', 'https://v1', 'https://v1'],
    ['gemini', 'https://x.example/v1beta', 'https://x.example'],
    ['gemini', 'https://x.example/v1/', 'https://x.example'],
    ['gemini', 'https://x.example/proxy', 'https://x.example/proxy'],
    ['ollama', 'http://x.example:11434/api/', 'http://x.example:11434'],
    ['ollama', 'http://x.example:11434/v1', 'http://x.example:11434'],
    ['ollama', 'http://x.example/ollama', 'http://x.example/ollama'],
  ])('of %s, written %s, is %s', (dialect, text, expected) => {
    expect(readBaseUrl(text, dialect)).toBe(expected)
  })

  it.each(['x.example', 'localhost:8080/v1', 'ftp://x.example', 'https://', 'http://a b', ''])(
    'is not %j',
    (text) => {
      expect(readBaseUrl(text, 'openai-chat')).toBeUndefined()
    },
  )

  it.each<[Dialect, string, string]>([
    ['openai-chat', 'https://x.example/', 'https://x.example/openai/v1'],
    ['openai-responses', 'https://x.example?a=b', 'https://x.example/openai/v1?a=b'],
    ['openai-chat', 'https://x.example/openai/deployments/d', 'https://x.example/openai/deployments/d'],
    ['anthropic', 'https://x.example', 'https://x.example'],
  ])('of %s that is only a host, %s, gets the server’s path: %s', (dialect, text, expected) => {
    expect(readBaseUrl(text, dialect, { apiPath: '/openai/v1' })).toBe(expected)
  })

  it.each([
    ['box', 'http://box:11434'],
    ['box:80', 'http://box:80'],
    ['box:', 'http://box:11434'],
    [':8000', 'http://127.0.0.1:8000'],
    ['0.0.0.0', 'http://127.0.0.1:11434'],
    ['0.0.0.0:8000', 'http://127.0.0.1:8000'],
    ['http://0.0.0.0:11434/', 'http://127.0.0.1:11434'],
    ['192.168.1.2', 'http://192.168.1.2:11434'],
    ['::1', 'http://[::1]:11434'],
    ['::', 'http://[::1]:11434'],
    ['[::1]:8000', 'http://[::1]:8000'],
    ['https://box.example', 'https://box.example'],
    ['https://box.example:8443/ollama', 'https://box.example:8443/ollama'],
    ['box/ollama/', 'http://box:11434/ollama'],
    ['box:port', undefined],
    ['ftp://box', undefined],
    ['a b', undefined],
  ])('from an address to listen on, %s, is %s', (text, expected) => {
    expect(readBaseUrl(text, 'ollama', { defaultPort: 11434 })).toBe(expected)
  })
})
