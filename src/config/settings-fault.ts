import { findNodeAtLocation, type Node, parseTree } from 'jsonc-parser'
import type * as z from 'zod'
import { positionOf } from './settings-document.ts'

type Issue = z.core.$ZodIssue

/** Describes each fault in settings, prefixed with its line and column: `2:3: permissions.mode: …`. */
export function settingsFaults(issues: readonly Issue[], text: string): readonly string[] {
  const root = parseTree(text, [], { allowTrailingComma: true })
  return issues.map((issue) => {
    const offset = root === undefined ? 0 : offsetOf(issue, root)
    const at = issue.path.join('.')
    return `${positionOf(offset, text)}: ${at === '' ? '' : `${at}: `}${inWords(issue)}`
  })
}

function inWords(issue: Issue): string {
  if (issue.code !== 'unrecognized_keys') return issue.message
  const names = issue.keys.map((key) => JSON.stringify(key)).join(', ')
  return `there is no setting called ${names}${issue.path.length === 0 ? '' : ' here'}`
}

/** Returns the offset of the unknown name, or of the nearest existing node. */
function offsetOf({ path, ...issue }: Issue, root: Node): number {
  const steps = path.map((step) => (typeof step === 'number' ? step : String(step)))
  const key = 'keys' in issue && Array.isArray(issue.keys) ? issue.keys[0] : undefined
  if (typeof key === 'string') {
    const value = findNodeAtLocation(root, [...steps, key])
    return value?.parent?.offset ?? value?.offset ?? root.offset
  }
  for (let depth = steps.length; depth > 0; depth--) {
    const found = findNodeAtLocation(root, steps.slice(0, depth))
    if (found !== undefined) return found.offset
  }
  return root.offset
}
