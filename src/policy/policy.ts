import type { Decision, JudgedCall, PermissionMode, PermissionPolicy } from '../permission.ts'

/** A policy whose mode a person may change; it holds from the next call on. */
export interface ModePolicy extends PermissionPolicy {
  mode: PermissionMode
}

/** Judges by capability, mode, what the person allowed for this session, and whether the call changes anything. */
export function createPolicy(initial: PermissionMode): ModePolicy {
  const granted = new Set<string>()
  const policy: ModePolicy = {
    mode: initial,
    judge: (call) =>
      judgeCapability(call) ??
      judgeMode(policy.mode, call) ??
      judgeGrant(granted, call) ?? {
        behavior: 'ask',
        source: 'builtin',
        reason: `${call.tool.name} can change things`,
      },
    allowForSession: (tool) => {
      granted.add(tool.name)
    },
  }
  return policy
}

function judgeCapability({ tool, actor }: JudgedCall): Decision | undefined {
  if (actor.capabilities.includes(tool.capability)) return undefined
  return {
    behavior: 'deny',
    source: 'capability',
    rule: tool.capability,
    reason: `${actor.displayName} does not have the capability ${tool.capability}`,
  }
}

function judgeMode(mode: PermissionMode, { tool, arguments: args }: JudgedCall): Decision | undefined {
  const allow = (reason: string): Decision => ({ behavior: 'allow', source: 'mode', rule: mode, reason })
  if (mode === 'bypass') return allow('every call is allowed')
  if (tool.readOnly(args)) return { behavior: 'allow', source: 'builtin', reason: 'it only reads' }
  if (mode === 'plan') {
    return {
      behavior: 'deny',
      source: 'mode',
      rule: mode,
      reason: 'plan mode only reads; propose the change instead',
    }
  }
  if (mode === 'accept-edits' && tool.capability === 'tool_edit_file') return allow('edits are accepted')
  return undefined
}

function judgeGrant(granted: ReadonlySet<string>, { tool }: JudgedCall): Decision | undefined {
  if (!granted.has(tool.name)) return undefined
  return { behavior: 'allow', source: 'session', rule: tool.name, reason: 'allowed for this session' }
}
