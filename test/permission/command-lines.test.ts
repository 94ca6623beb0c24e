import fc from 'fast-check'
import { expect } from 'vitest'
import type { ModePolicy } from '../../src/permission/policy.ts'
import { permissionModes } from '../../src/permission.ts'
import { callOf, type RuleLists, testPolicy } from '../support/permission/policy.ts'
import { quickIt as it, sized, sizedIt } from '../support/thorough.ts'
import given from './command-lines.json' with { type: 'json' }

interface RuleSet extends RuleLists {
  readonly mode: string
  readonly interactive: boolean
  readonly builtin_readonly: boolean
}

const sets = new Map<string, RuleSet>(Object.entries(given.rulesets))

function setOf(name: string): RuleSet {
  const set = sets.get(name)
  if (set === undefined) throw new Error(`there is no set of rules ${name}`)
  return set
}

function policyOf(name: string, trusted = true): ModePolicy {
  const set = setOf(name)
  const mode = permissionModes.find((one) => one === set.mode) ?? 'default'
  return testPolicy({ mode, rules: set, trusted, readsFreely: set.builtin_readonly })
}

const lines: readonly (typeof given.lines)[number][] = given.lines

it.each(lines.map((line) => [line.id, JSON.stringify(line.command).slice(0, 90), line] as const))(
  '%s: %s',
  async (_, __, { rules, trusted, command, expect: accepted }) => {
    const policy = policyOf(rules, trusted)
    const { behavior, reason } = await policy.judge(callOf('bash', { command }))
    const decision = behavior === 'ask' && !setOf(rules).interactive ? 'deny' : behavior
    expect(accepted, `${decision}: ${reason}`).toContain(decision)
  },
)

type Disguise = (command: string) => string

const quote = (command: string) => `'${command.replaceAll("'", "'\\''")}'`

/** Spellings of a command that bash reads the same way. */
const spellings: readonly Disguise[] = [
  (command) => command,
  (command) => `'${command.slice(0, 1)}'${command.slice(1)}`,
  (command) => `${command.slice(0, 1)}""${command.slice(1)}`,
  (command) => `\\${command}`,
  (command) => `${command.slice(0, 1)}\\\n${command.slice(1)}`,
  (command) => `$'\\x${command.charCodeAt(0).toString(16)}'${command.slice(1)}`,
  (command) => `${command.slice(0, 1)}\${nothing}${command.slice(1)}`,
  (command) => `${command.slice(0, 1)}$(:)${command.slice(1)}`,
  (command) => `$(echo ${command.slice(0, 1)})${command.slice(1)}`,
  (command) => command.replaceAll(' ', '$' + '{IFS}'),
  (command) => command.replaceAll(' ', ' \\\n\t'),
  (command) => `{${command.split(' ').join(',')}}`,
  (command) => `/bin/${command}`,
  (command) => command.slice(0, 1).toUpperCase() + command.slice(1),
  (command) => `A=b ${command}`,
]

/** Ways to make another program run a command. */
const wrappings: readonly Disguise[] = [
  (command) => `timeout -k 1 5 bash -c ${quote(command)}`,
  (command) => `env -i A=b nice -n 3 sh -ec ${quote(command)}`,
  (command) => `sudo -u me bash -c ${quote(command)}`,
  (command) => `(${command}\n)`,
  (command) => `{ ${command}\n}`,
  (command) => `! ${command}`,
  (command) => `true && ${command}`,
  (command) => `ls\n${command}`,
  (command) => `ls | ${command}`,
  (command) => `echo "$(${command}\n)"`,
  (command) => `echo <(${command}\n)`,
  (command) => `echo $(( $(${command}\n) ))`,
  (command) => `cat <<EOF-${command.length}\n$(${command}\n)\nEOF-${command.length}`,
  (command) => `bash <<'EOF-${command.length}'\n${command}\nEOF-${command.length}`,
  (command) => `if true; then ${command}\nfi`,
  (command) => `for i in 1 2; do ${command}\ndone`,
  (command) => `case x in x) ${command}\n;; esac`,
  (command) => `f() { ${command}\n}; f`,
  (command) => `eval ${quote(command)}`,
  (command) => `x=${quote(command)}; eval "$x"`,
  (command) => `trap ${quote(command)} EXIT`,
  (command) => `echo ${quote(command)} | sh`,
  (command) => `bash <<< ${quote(command)}`,
  (command) => `find . -exec sh -c ${quote(command)} \\;`,
  (command) => `echo x | xargs -n 1 bash -c ${quote(command)}`,
  (command) => `git -c alias.x=${quote(`!${command}`)} x`,
  (command) => `${'true; '.repeat(60)}${command}`,
  (command) => `time { ${command}\n}`,
  (command) => `coproc NAME { ${command}\n}`,
  (command) => `sudo bash <<< ${quote(command)}`,
  (command) => `echo ${quote(command)} | env A=b timeout 5 sh`,
  (command) => `env GIT_PAGER=${quote(command)} git log`,
  (command) => `git submodule foreach --recursive ${quote(command)}`,
  (command) => `git config alias.x ${quote(`!${command}`)}; git x`,
  (command) => `trap -- ${quote(command)} EXIT`,
  (command) => `eval -- ${quote(command)}`,
  (command) => `x=${quote(`a[$(${command}\n)]`)}; echo $((x))`,
]

const forbidden = ['rm x', 'curl http://x', 'git push']

const disguised = fc
  .record({
    command: fc.constantFrom(...forbidden),
    spelling: fc.nat(spellings.length - 1),
    wrappings: fc.array(fc.nat(wrappings.length - 1), { maxLength: 4 }),
  })
  .map((one) =>
    one.wrappings.reduce(
      (sofar, i) => wrappings[i]?.(sofar) ?? sofar,
      spellings[one.spelling]?.(one.command) ?? one.command,
    ),
  )

sizedIt('never allows a disguised form of a forbidden command', async () => {
  const policies = [policyOf('DENY'), testPolicy({ mode: 'bypass', rules: setOf('DENY') })]
  await fc.assert(
    fc.asyncProperty(disguised, async (command) => {
      for (const policy of policies) {
        const { behavior, reason } = await policy.judge(callOf('bash', { command }))
        expect(behavior, `${reason}\n${command}`).not.toBe('allow')
      }
    }),
    { numRuns: sized(400, 60) },
  )
})

it.each(forbidden)('denies %s in every single disguise that leaves its name known', async (plain) => {
  const known = spellings.filter((spell) => !/\$\(:\)|nothing/.test(spell(plain)))
  const policy = policyOf('DENY')
  for (const disguise of [...known, ...wrappings]) {
    const command = disguise(plain)
    expect({ command, ...(await policy.judge(callOf('bash', { command }))) }).toMatchObject({
      command,
      behavior: 'deny',
    })
  }
})
