import { PipeError } from '../error.ts'
import type { JudgedCall } from '../permission.ts'
import { createPolicy, type PolicyOptions } from './policy.ts'
import { type RuleText, toolKind } from './rule.ts'

/**
 * Holds rules against the examples that they carry: each is judged as if its rule were the only one. Throws `config` naming the
 * rule and the first example that it treats otherwise than it says.
 */
export async function checkExamples(
  rules: readonly RuleText[],
  options: Omit<PolicyOptions, 'rules' | 'mode'>,
): Promise<void> {
  for (const rule of rules) {
    const { match = [], notMatch = [] } = rule
    if (match.length + notMatch.length === 0) continue
    const policy = createPolicy({
      ...options,
      mode: 'default',
      rules: [rule],
      readsFreely: false,
      trusted: true,
    })
    const answers = async (example: string) =>
      (await policy.judge(exampleCall(rule.text, example))).rule === rule.text
    for (const example of match) if (!(await answers(example))) throw wrong(rule, example, 'does not match')
    for (const example of notMatch) if (await answers(example)) throw wrong(rule, example, 'matches')
  }
}

/** The call that an example of a rule stands for: a command, a path, a URL. */
function exampleCall(rule: string, example: string): JudgedCall {
  const name = rule.replace(/\(.*$/s, '').trim()
  const fields = { command: 'command', read: 'path', edit: 'path', fetch: 'url', other: 'text' } as const
  return {
    tool: { name, capability: 'tool_run_command', readOnly: () => false },
    arguments: { [fields[toolKind(name)]]: example },
    actor: { id: 'agent_example', kind: 'agent', displayName: 'example', capabilities: ['tool_run_command'] },
  }
}

function wrong({ text, origin }: RuleText, example: string, does: string): PipeError {
  const place = origin === undefined ? '' : `${origin}: `
  return new PipeError(
    'config',
    `${place}the rule ${JSON.stringify(text)} ${does} its example ${JSON.stringify(example)}`,
    {
      details: { rule: text, example },
    },
  )
}
