import given from '../../permission/command-lines.json' with { type: 'json' }

const sets = new Map<string, object>(Object.entries(given.rulesets))
export const asks: readonly {
  readonly rules: string
  readonly trusted?: boolean
  readonly command: string
}[] = given.lines

/** Calls as lines of JSON, with an unknown field. */
export function linesOf(some: typeof asks): string {
  const line = ({ rules, trusted = true, command }: (typeof asks)[number]) =>
    JSON.stringify({
      tool: 'bash',
      input: { command },
      rules: sets.get(rules),
      cwd: '/home/user/proj',
      home: '/home/user',
      trusted,
      unknown: 1,
    })
  return some.map((one) => `${line(one)}\n`).join('')
}
