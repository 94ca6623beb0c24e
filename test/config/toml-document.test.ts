import { expect, it } from 'vitest'
import { parseToml } from '../../src/config/toml-document.ts'

it('reads the tables, lists and texts of a document', () => {
  const text = `model = "gpt-5"

[mcp_servers."my docs"]
command = 'npx'
args = ["-y", "docs"]
env = { LEVEL = "2" }
startup_timeout_sec = 20
`
  expect(parseToml(text)).toEqual({
    model: 'gpt-5',
    mcp_servers: {
      'my docs': {
        command: 'npx',
        args: ['-y', 'docs'],
        env: { LEVEL: '2' },
        startup_timeout_sec: 20,
      },
    },
  })
})

it('names the position of a fault, and repeats nothing of a document that may hold secrets', () => {
  expect(() => parseToml('a = 1\nkey = "secret\n')).toThrow(/^2:\d+: not valid TOML: [^\n]*$/)
  expect(() => parseToml('a = 1\nkey = "secret\n')).not.toThrow(/secret/)
})

it('refuses a document that is nested too deeply', () => {
  expect(() => parseToml(`a = ${'['.repeat(100_000)}`)).toThrow(/not valid TOML/)
})
