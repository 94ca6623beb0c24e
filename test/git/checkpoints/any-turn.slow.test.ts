import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { redoTurn, undoTurn } from '../../../src/git/checkpoints/undo.ts'
import { aged, never, openProject, turn } from '../project.ts'

/** Names that may each be a file, a link or a folder holding others. */
const names = [
  'a',
  'b',
  'a/x',
  'a/x/deep',
  'b/y',
  'run me',
  'ünï.txt',
  'x.bin',
  '.gitattributes',
  'a/.gitattributes',
]
const path = fc.constantFrom(...names)

const contents = [
  ...['one\n', 'one\r\ntwo\r\n', 'mixed\r\nand\n', '', '$Id$ no newline', '\0\x01\xff\r\n'],
  ...['* text=auto eol=crlf\n', '*.txt filter=shout ident\n', '* working-tree-encoding=UTF-16 text\n'],
]

/** Shell lines. One that fails does not stop the others. */
const change = fc.oneof(
  fc.tuple(path, fc.constantFrom(...contents)).map(([to, text]) => write(to, text)),
  fc.tuple(path, fc.constantFrom(...contents)).map(([to, text]) => append(to, text)),
  path.map((at) => `rm -rf '${at}'`),
  fc.tuple(path, path).map(([from, to]) => `mv '${from}' '${to}'`),
  path.map((at) => `mkdir -p '${at}'`),
  fc
    .tuple(path, fc.constantFrom(...names, 'nowhere'))
    .map(([at, to]) => `rm -rf '${at}'; mkdir -p "$(dirname '${at}')"; ln -s '${to}' '${at}'`),
  fc
    .tuple(fc.constantFrom('+x', '-x', '600', '640', '444', '644', '700'), path)
    .map(
      ([mode, at]) => `[ -L '${at}' ] || [ -d '${at}' ] || { chmod ${mode} '${at}' && ${aged(`'${at}'`)}; }`,
    ),
)

const script = (line: fc.Arbitrary<string>, count: number) =>
  fc.array(line, { minLength: count, maxLength: 2 * count }).map((lines) => `${lines.join('\n')}\n:`)

it('undoes and redoes any turn to the byte, mode and link, whatever git is configured to do', async () => {
  const property = fc.asyncProperty(script(change, 12), script(change, 6), async (prepare, act) => {
    const { folder, list, run, shadow, checkpoints } = await openProject({
      // An unhardened git would read its settings there.
      commands: (real) => ({
        ...real,
        run: (line, options) => real.run({ ...line, env: { HOME: folder, ...line.env } }, options),
      }),
    })
    writeFileSync(join(folder, '.gitconfig'), settings)
    run('git init -q')
    mkdirSync(join(folder, 'project/.git'), { recursive: true })
    writeFileSync(join(folder, 'project/.git/config'), settings)
    // No file is old yet, so that git sees those that the turn makes old.
    run(`{ ${prepare}; } 2> /dev/null; find . -type f -exec touch {} +`)
    const old = list()
    await turn(checkpoints(), 'go', () => run(`{ ${act}; } 2> /dev/null`))
    const changed = list()
    if (JSON.stringify(old) === JSON.stringify(changed)) return
    await undoTurn(shadow, { signal: never() })
    expect(list()).toEqual(old)
    await redoTurn(shadow, { signal: never() })
    expect(list()).toEqual(changed)
    await undoTurn(shadow, { signal: never() })
    expect(list()).toEqual(old)
  })
  await fc.assert(property, { numRuns: 8 })
})

const settings = `[core]
	autocrlf = true
	eol = crlf
	fileMode = false
	symlinks = false
[filter "shout"]
	clean = tr a-z A-Z
	smudge = tr a-z A-Z
	required = true
`

function write(to: string, text: string): string {
  return `[ -d '${to}' ] && rm -rf '${to}'; [ -L '${to}' ] && rm '${to}'; mkdir -p "$(dirname '${to}')"; ${print(text)} > '${to}'`
}

function append(to: string, text: string): string {
  return `[ -L '${to}' ] || ${print(text)} >> '${to}'`
}

/** A shell command that prints arbitrary bytes. */
function print(text: string): string {
  const octal = [...Buffer.from(text, 'latin1')].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`)
  return `printf '${octal.join('')}'`
}
