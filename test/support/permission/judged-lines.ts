import { expect, it } from 'vitest'
import { callOf, type RuleLists, testPolicy } from './policy.ts'

type Lines = readonly string[]
type RulesWithLines = readonly (readonly [rule: string, line: string])[]

async function judge(command: string, rules: RuleLists) {
  const { behavior, reason } = await testPolicy({ rules }).judge(callOf('bash', { command }))
  return { command, behavior, reason }
}

/** Functions that register a test for each line under these rules, which the titles call `name`. */
function under(name: string, rules: RuleLists) {
  const decision =
    (verb: string, ...expected: readonly string[]) =>
    (why: string, lines: Lines) =>
      it.each(lines)(`${name}, pipe ${verb} %j, which ${why}`, async (command) => {
        const judged = await judge(command, rules)
        expect(expected, judged.reason).toContain(judged.behavior)
      })
  return {
    allows: decision('allows', 'allow'),
    asks: decision('asks about', 'ask'),
    denies: decision('denies', 'deny'),
    refuses: decision('does not allow', 'ask', 'deny'),
  }
}

export const byDefault = under('without rules', {})

export const byOpenRules = under('with rules that end in a wildcard', {
  allow: ['Bash(git:*)', 'Bash(git diff:*)', 'Bash(sort:*)', 'Bash(tree:*)', 'Bash(rg:*)'],
})

export const anything = under('with every command allowed', { allow: ['Bash(*)'] })

const noWriting = ['Edit(src/**)', 'Edit(.env)']
export const writingDenied = under('with src and .env not to be edited', {
  deny: noWriting,
  allow: ['Bash(git commit:*)'],
})
export const allButWriting = under('with everything allowed but editing src and .env', {
  deny: noWriting,
  allow: ['Bash(*)'],
})

export const allButEditingSource = under('with everything allowed but editing src', {
  deny: ['Edit(src/**)'],
  allow: ['Bash(*)'],
})

export const withoutManifests = under('with everything allowed but editing what names a package', {
  deny: ['Edit(package.json)', 'Edit(Cargo.toml)', 'Edit(go.mod)'],
  allow: ['Bash(*)'],
})

export const envDenied = under('with .env not to be read', { deny: ['Read(.env)'] })
export const allButReadingEnv = under('with everything allowed but reading .env', {
  deny: ['Read(.env)'],
  allow: ['Bash(*)'],
})

export const denyingX = under('with x and git-merge-x denied', {
  deny: ['Bash(x:*)', 'Bash(git-merge-x:*)'],
  allow: ['Bash(*)'],
})

/** Registers a test for each line that the rule beside it allows. */
export function allowedBy(pairs: RulesWithLines) {
  it.each(pairs)('Bash(%s) allows %j', async (rule, command) => {
    const judged = await judge(command, { allow: [`Bash(${rule})`] })
    expect(judged).toMatchObject({ behavior: 'allow' })
  })
}

/** Registers a test for each line that pipe asks about despite the rule beside it. */
export function refusedDespite(why: string, pairs: RulesWithLines) {
  it.each(pairs)(`Bash(%s) does not allow %j, which ${why}`, async (rule, command) => {
    const judged = await judge(command, { allow: [`Bash(${rule})`] })
    expect(judged).toMatchObject({ behavior: 'ask' })
  })
}
