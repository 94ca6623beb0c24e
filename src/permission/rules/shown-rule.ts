import { editsPaths, type ToolFacts } from '../../tool.ts'
import { shownPath } from '../paths/shown-path.ts'
import { ruleSubject } from './rule.ts'

interface Place {
  readonly cwd: string
  readonly home: string
}

/** A rule as settings spell it, with paths in the project relative to its folder: `Edit(src/parser/**)`. */
export function shownRule(rule: string, place: Place): string {
  const { tool, kind, spec } = partsOf(rule)
  return kind === 'read' || kind === 'edit' ? `${tool}(${shownSpec(spec, place)})` : rule
}

/** The calls that a rule covers, in words: `node --test …`, `edits in src/parser/**`. */
export function coveredBy(rule: string, place: Place): string {
  const { tool, kind, spec } = partsOf(rule)
  switch (kind) {
    case 'command':
      return spec.replace(/(:| )\*$/, ' …')
    case 'edit':
      return `edits of ${shownSpec(spec, place)}`
    case 'read':
      return `reads of ${shownSpec(spec, place)}`
    case 'fetch':
      return `pages of ${spec.replace(/^domain:/, '')}`
    case 'other':
      return `every use of ${tool}`
  }
}

/** All calls of a tool, as a broad grant allows them. */
export function broadCalls(tool: ToolFacts): string {
  const { name, command, url, paths } = tool
  if (command !== undefined) return 'every command'
  if (url !== undefined) return 'every fetch'
  if (editsPaths(tool)) return 'every edit'
  return paths === undefined ? `every use of ${name}` : 'every read'
}

function partsOf(rule: string) {
  const [, tool = rule, spec = ''] = /^([\w.*-]+)(?:\((.*)\))?$/s.exec(rule) ?? []
  return { tool, kind: ruleSubject(tool), spec }
}

/** Suggested rules begin paths with `~/`, or with `//` for the root. */
function shownSpec(spec: string, { cwd, home }: Place): string {
  const path = spec.startsWith('~/') ? `${home}${spec.slice(1)}` : spec.replace(/^\/\//, '/')
  return path.startsWith('/') ? shownPath(path, { cwd, home }) : spec
}
