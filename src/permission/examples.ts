import type { JudgedCall } from '../permission.ts'
import type { ToolFacts } from '../tool.ts'
import { createPolicy, type PolicyOptions } from './policy.ts'
import { type Rule, ruleError, ruleSubject } from './rules/rule.ts'

/**
 * Checks each rule on its own against the examples that it carries. Throws `config` with the rule and the first example that it
 * judges otherwise.
 */
export async function checkExamples(
  rules: readonly Rule[],
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
    const check = async (example: string, matches: boolean) => {
      const { rule: found } = await policy.judge(exampleCall(rule.text, example))
      if ((found === rule.text) === matches) return
      const does = matches ? 'does not match' : 'matches'
      throw ruleError(rule, `${does} its example ${JSON.stringify(example)}`, example)
    }
    for (const example of match) await check(example, true)
    for (const example of notMatch) await check(example, false)
  }
}

/** Builds the call that an example stands for. The rule decides whether it is a command, a path, a URL or a call of one tool. */
function exampleCall(rule: string, example: string): JudgedCall {
  const name = rule.replace(/\(.*$/s, '').trim()
  return {
    tool: { name, capability: 'tool_run_command', readOnly: () => false, ...exampleFacts(name, example) },
    arguments: { text: example },
    actor: { id: 'agent_example', kind: 'agent', displayName: 'example', capabilities: ['tool_run_command'] },
  }
}

function exampleFacts(word: string, example: string): Partial<ToolFacts> {
  switch (ruleSubject(word)) {
    case 'command':
      return { command: () => ({ line: example }) }
    case 'read':
      return { readOnly: () => true, paths: () => [{ path: example, access: 'read' }] }
    case 'edit':
      return { paths: () => [{ path: example, access: 'write' }] }
    case 'fetch':
      return { url: () => example }
    case 'other':
      return {}
  }
}
