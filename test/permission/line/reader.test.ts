import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { describe, expect } from 'vitest'
import type { JudgedLine } from '../../../src/permission/command-line.ts'
import { createCommandReader } from '../../../src/permission/line/reader.ts'
import { testReader } from '../../support/permission/policy.ts'
import { quickIt as it, sized, sizedIt } from '../../support/thorough.ts'

const context = { cwd: '/home/user/proj', home: '/home/user' }
const read = (command: string): Promise<JudgedLine> => testReader.read(command, context)
const reachable = async (command: string) =>
  (await read(command)).reachable.map(({ words }) => words.map((word) => word ?? '?').join(' '))

describe('a line of bash', () => {
  it('splits into its commands, with the files they read', async () => {
    expect(
      await read('cat a.txt "b c" 2>/dev/null | LANG=C sort -n > out && timeout 5 npm test'),
    ).toMatchObject({
      plain: [
        {
          words: ['cat', 'a.txt', 'b c'],
          readOnly: true,
          files: [
            { path: '/home/user/proj/a.txt', access: 'read', glob: false, by: 'word' },
            { path: '/home/user/proj/b c', access: 'read', glob: false, by: 'word' },
          ],
        },
        {
          words: ['sort', '-n'],
          inner: ['sort', '-n'],
          readOnly: true,
          files: [{ path: '/home/user/proj/out', access: 'write', glob: false, by: 'redirect' }],
        },
        { words: ['timeout', '5', 'npm', 'test'], inner: ['npm', 'test'], readOnly: false, files: [] },
      ],
      opaque: undefined,
      caution: undefined,
      removal: undefined,
    })
  })

  it.each([
    ['wc -l 0< a', ['wc', '-l']],
    ['0<a wc -l', ['wc', '-l']],
    ['echo 0 <a', ['echo', '0']],
    ["echo '0<' <a", ['echo', '0<']],
  ])('%j opens its input, by any descriptor', async (command, words) => {
    const files = [{ path: '/home/user/proj/a', access: 'read', glob: false, by: 'redirect' }]
    expect((await read(command)).plain).toMatchObject([{ words, files }])
  })

  it.each([
    ['x=rm; $x y', ['rm y']],
    [`a=r; b=\${a}m; "$b" y`, ['rm y']],
    ['$(echo rm) y', ['echo rm', 'rm y']],
    ['rm{,} y', ['rm rm y']],
    ['{r,l}m y', ['rm lm y']],
    ['for c in rm ls; do $c y; done', ['rm y', 'ls y']],
    ['sudo env A=b rm y', ['sudo env A=b rm y', 'env A=b rm y', 'rm y']],
    ['git -C x --no-pager push', ['git -C x --no-pager push', 'git push']],
    ['find . -exec rm {} +', ['find . -exec rm {} +', 'rm ?']],
    ['cat <<X\n$(rm y)\nX', ['rm y', 'cat']],
    [`echo "\${x:-\`rm y\`}"`, ['rm y', 'echo ?']],
    ['echo $(case x in a) rm y;; esac)', ['rm y']],
    [`x='$(rm y)'; echo \${x@P}`, ['rm y']],
    ["test -v 'a[$(rm y)]'", ['rm y']],
    ['time { rm y; }', ['rm y']],
    ['coproc NAME { rm y; }', ['rm y']],
    ['command -v rm', ['command -v rm']],
    ['env bash <<< "rm y"', ['rm y']],
    ['echo rm y | sudo sh', ['rm y']],
    ["tar x --to-command='rm y'", ['rm y']],
    [`python3 -c 'import subprocess; subprocess.run(["rm", "y"])'`, ['rm y']],
    ["sed 's/a/rm y/e' f", ['rm y']],
    ["git -c core.pager='rm y' log", ['rm y']],
    ['git clone "ext::rm y"', ['rm y']],
  ])('%j may run %j', async (command, expected) => {
    expect(await reachable(command)).toEqual(expect.arrayContaining(expected))
  })

  it.each([
    "echo 'rm y'",
    "sed 's/rm y/x/' f",
    `python3 -c 'print("rm y")'`,
    'command -V rm y',
    "cat <<'X'\nrm y\n$(rm y)\nX",
    '# rm y\nls',
    'ls a\\;rm y',
  ])('%j does not run its text', async (command) => {
    expect((await read(command)).reachable.filter(({ name }) => name === 'rm' || name === 'y')).toEqual([])
  })

  it.each([
    ['$x y', 'which command runs is only known when it runs'],
    ['/bin/r? y', 'which command runs is only known when it runs'],
    ['eval "$x"', 'a shell runs text that is only known when it runs'],
    ['cat script | bash', 'a shell runs text that is only known when it runs'],
    ['echo "', 'it cannot be read as shell'],
    [`${'$('.repeat(100)}ls${')'.repeat(100)}`, 'it cannot be read as shell'],
    ['bash script.sh', undefined],
    ['npm test', undefined],
    ['constructor x', undefined],
  ])('%j has the reason why a part of it is unknown', async (command, opaque) => {
    expect((await read(command)).opaque).toBe(opaque)
  })

  it.each([
    [`${'$('.repeat(1_900)}rm x${')'.repeat(1_900)}`, 'it holds too many scripts'],
    [`x='$(y=$x)'; y='$(x="$y")'; eval "$x"`, 'which command runs is only known when it runs'],
    [`${'( '.repeat(2_400)}rm x${' )'.repeat(2_400)}`, undefined],
    [`echo "${'$x'.repeat(200_000)}"; rm x`, undefined],
    [`echo {${'a,'.repeat(300_000)}}; rm x`, undefined],
    [`echo ${'a '.repeat(100_000)}; rm x`, undefined],
  ])('%.40s is read, however deep or long it is', async (command, opaque) => {
    const line = await read(command)
    expect(line.opaque).toBe(opaque)
    expect(line.opaque !== undefined || line.reachable.some(({ name }) => name === 'rm')).toBe(true)
  })

  it.each([
    ['echo a\u202eb', 'it holds invisible characters'],
    ['echo a\u00a0b', 'it holds invisible characters'],
    ['echo a\rb', 'it holds invisible characters'],
    [`echo ${'a'.repeat(10_000)}`, 'it has more than 10000 characters'],
    [Array(51).fill('true').join(';'), 'it has more than 50 parts'],
    ['cat < /dev/tcp/host/80', 'it opens a connection'],
    ['cd sub; echo x > y', 'it writes to a file in another folder'],
    ['cd . && git log', undefined],
    ['cd /home/user/proj && git log', undefined],
    ['echo a\u2800b', 'it holds invisible characters'],
    ['echo häß 日本 😀', undefined],
  ])('%j needs a question for this reason', async (command, caution) => {
    expect((await read(command)).caution).toBe(caution)
  })

  it.each([
    ['git commit -m "$(cat <<\'E\'\na; b\nE\n)"', ['git', 'commit', '-m', 'a; b']],
    ['[ ! -f x ]', ['[', '!', '-f', 'x', ']']],
    ['echo "$HOME" $PWD', ['echo', '/home/user', '/home/user/proj']],
  ])('%j is the plain words %j', async (command, words) => {
    expect((await read(command)).plain).toMatchObject([{ words }])
  })

  it('is not plain if the two readings differ', async () => {
    expect(await read('to\\\nuch x')).toMatchObject({
      plain: undefined,
      obstacle: 'it can be read in more than one way',
    })
  })

  it('without the grammar is plain only if it has plain words', async () => {
    const blind = createCommandReader({ grammarFolder: '/nowhere' })
    const { plain, obstacle } = await blind.read('ls | head', context)
    expect({ plain, obstacle }).toEqual({
      plain: undefined,
      obstacle: 'cannot load the bash grammar from /nowhere',
    })
    expect((await blind.read('ls -la src', context)).plain).toMatchObject([{ words: ['ls', '-la', 'src'] }])
  })

  sizedIt('with braces is plain only if bash reads them the same way', async () => {
    const pieces = '{ } { } , . .. a 1 3 - @ ^ "x" "}" "{" "," ".." \\, \\. \\{ \\}'.split(' ')
    const word = fc
      .array(fc.constantFrom(...pieces), { minLength: 2, maxLength: 9 })
      .map((all) => all.join(''))
    const commands = fc.sample(word, sized(3_000, 600)).map((one) => `printf '%s\\0' _${one}`)
    const read: string[] = []
    const taken: string[] = []
    for (const command of commands) {
      const [only] = (await testReader.read(command, context)).plain ?? []
      if (only === undefined) continue
      taken.push(command)
      read.push(...only.words.slice(2))
    }
    const { stdout } = await promisify(execFile)('bash', ['-c', `set -f\n${taken.join('\n')}`])
    expect(stdout.split('\0').slice(0, -1)).toEqual(read)
    expect(read.filter((one) => /\{.*\}/.test(one)).length).toBeGreaterThan(sized(100, 20))
  })

  sizedIt('never makes the reader throw, whatever its text', async () => {
    const pieces =
      '$ ( ) { } [ ] < > << <<- ; & | " \' ` \\ \n # ! * ? ~ = , . - / rm ls x case in esac if fi do done $(( )) ${ $( @P \0 \u202e'
    const text = fc
      .array(fc.constantFrom(...pieces.split(' '), ' '), { maxLength: 40 })
      .map((all) => all.join(''))
    await fc.assert(
      fc.asyncProperty(text, async (command) => {
        const line = await read(command)
        expect(line.plain === undefined).toBe(line.obstacle !== undefined)
      }),
      { numRuns: sized(500, 100) },
    )
  })
})
