import { describe, expect, it } from 'vitest'
import { readToml } from '../../../src/config/agents/agent-toml.ts'
import { refused } from '../../../src/machine/result.ts'

function values(text: string) {
  const read = readToml(text)
  return read.type === 'ok' ? read.value.values : read
}

describe('a TOML document', () => {
  it('holds texts, numbers, lists and tables', () => {
    const text = [
      '# an agent',
      'name = "a b" # its name',
      "raw = 'C:\\x'",
      '"quoted key".x = 1_000',
      'numbers = [1, -2.5,',
      '  3, # more',
      ']',
      'on = true',
      'inline = { a = 1, b.c = "d" }',
      '[mcp_servers.docs]',
      'command = "npx"',
      '[mcp_servers.docs.env]',
      'A = "b"',
      '[[skills.config]]',
      'path = "x"',
      '[[skills.config]]',
      'path = "y"',
    ].join('\r\n')
    expect(values(text)).toEqual({
      name: 'a b',
      raw: 'C:\\x',
      'quoted key': { x: 1000 },
      numbers: [1, -2.5, 3],
      on: true,
      inline: { a: 1, b: { c: 'd' } },
      mcp_servers: { docs: { command: 'npx', env: { A: 'b' } } },
      skills: { config: [{ path: 'x' }, { path: 'y' }] },
    })
  })

  it('holds texts on several lines, with their quotes and escapes', () => {
    const text = 'a = """\none "two"\n[three]\n\\u00e9 \\\n   four"""\nb = \'\'\'\n\\d "x"\n\'\'\'\n'
    expect(values(text)).toEqual({ a: 'one "two"\n[three]\n\u00e9 four', b: '\\d "x"\n' })
  })

  it('says on which line its keys stand', () => {
    const read = readToml('\ufeffa = 1\n\n[b.c]\nd = 1\n')
    expect(read.type === 'ok' && [...read.value.lines]).toEqual([
      ['a', 1],
      ['b', 3],
      ['d', 4],
    ])
  })

  it('has no keys in a text on several lines', () => {
    const read = readToml('a = """\nb = 1\n"""\nb = 2\n')
    expect(read.type === 'ok' && read.value.lines.get('b')).toBe(4)
  })

  it('gives nothing of its prototype away', () => {
    values('__proto__.polluted = true\n')
    expect(Object.getPrototypeOf({}).polluted).toBeUndefined()
  })

  it.each([
    ['a = ', 1],
    ['a = word', 1],
    ['a = 1\na = 2', 2],
    ['a = "x\ny"', 1],
    ['a = 1 b = 2', 1],
    ['\na = 1\n[a]', 3],
    [String.raw`a = "\q"`, 1],
  ])('of %j is refused with its line', (text, line) => {
    expect(values(text)).toEqual(refused(expect.stringMatching(`^${line}: not valid TOML: `)))
  })
})
