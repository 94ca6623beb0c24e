import { parseAst } from 'vitest/node'

/** Imports and effects of a module, each with its line, counted from 1. */
export interface ModuleFacts {
  readonly imports: readonly Import[]
  /** Uses of globals: `setTimeout`, `process.env`, `new Date()`. */
  readonly globals: readonly Use[]
  /** Statements with effects at load: `let`, `await`, a call. */
  readonly effects: readonly Use[]
}

export interface Import {
  readonly specifier: string
  readonly typeOnly: boolean
  readonly line: number
}

export interface Use {
  readonly name: string
  readonly line: number
}

interface Node {
  readonly type: string
  readonly start: number
  readonly [property: string]: unknown
}

const declarations = new Set([
  'ImportDeclaration',
  'ExportNamedDeclaration',
  'ExportAllDeclaration',
  'ExportDefaultDeclaration',
  'FunctionDeclaration',
  'ClassDeclaration',
  'VariableDeclaration',
  'EmptyStatement',
])

/** Parses a module into a syntax tree, so that comments, strings and line breaks cannot mislead. */
export function readModule(path: string, source: string): ModuleFacts {
  const program: unknown = parseAst(source, { lang: path.endsWith('.tsx') ? 'tsx' : 'ts' })
  const nodes = walk(program)
  const lineOf = (node: Node) => source.slice(0, node.start).split('\n').length
  return {
    imports: nodes.flatMap((node) => {
      const specifier = specifierOf(node)
      if (specifier === undefined) return []
      const typeOnly = node['importKind'] === 'type' || node['exportKind'] === 'type' || isTypeNode(node)
      return [{ specifier, typeOnly, line: lineOf(node) }]
    }),
    globals: nodes.flatMap((node) => globalsOf(node).map((name) => ({ name, line: lineOf(node) }))),
    effects: topLevel(program).flatMap((node) => {
      const name = effectOf(node)
      return name === undefined ? [] : [{ name, line: lineOf(node) }]
    }),
  }
}

/** Lists the nodes of a tree. A generator in each of its nodes would take most of the time of a check. */
function walk(value: unknown, found: Node[] = []): readonly Node[] {
  if (Array.isArray(value)) {
    for (const item of value) walk(item, found)
  } else if (isNode(value)) {
    found.push(value)
    for (const child of Object.values(value)) walk(child, found)
  }
  return found
}

function topLevel(program: unknown): readonly Node[] {
  const body = isNode(program) ? program['body'] : undefined
  return Array.isArray(body) ? body.filter(isNode) : []
}

function effectOf(node: Node): string | undefined {
  const declaration = isNode(node['declaration']) ? node['declaration'] : node
  if (declaration.type === 'VariableDeclaration' && declaration['kind'] !== 'const') return 'a variable'
  if (declarations.has(node.type) || isTypeNode(node)) {
    const awaits = declaration.type === 'VariableDeclaration' && initials(declaration).some(isAwait)
    return awaits ? 'an await' : undefined
  }
  return 'a statement'
}

function initials(declaration: Node): readonly unknown[] {
  const { declarations: list } = declaration
  return Array.isArray(list) ? list.map((item: unknown) => (isNode(item) ? item['init'] : undefined)) : []
}

function isAwait(value: unknown): boolean {
  return isNode(value) && value.type === 'AwaitExpression'
}

/** Returns the module that a node loads: import, export from, import(), import type, and `process.getBuiltinModule`. */
function specifierOf(node: Node): string | undefined {
  if (/^(Import|Export(Named|All))Declaration$|^ImportExpression$|^TSImportType$/.test(node.type)) {
    return textOf(node['source'])
  }
  const [first] = node.type === 'CallExpression' && Array.isArray(node['arguments']) ? node['arguments'] : []
  return pathOf(node['callee']) === 'process.getBuiltinModule' ? textOf(first) : undefined
}

/** Returns uses of globals: `setTimeout(…)`, `Date.now`, `new Date()`, and the parts of `const { env } = process`. */
function globalsOf(node: Node): readonly string[] {
  if (node.type === 'MemberExpression') return [pathOf(node) ?? []].flat()
  if (node.type === 'CallExpression' && isNode(node['callee']) && node['callee'].type === 'Identifier') {
    return [nameOf(node['callee']) ?? []].flat()
  }
  if (node.type === 'NewExpression' && Array.isArray(node['arguments']) && node['arguments'].length === 0) {
    return nameOf(node['callee']) === undefined ? [] : [`new ${nameOf(node['callee'])}()`]
  }
  if (node.type === 'VariableDeclarator' && isNode(node['id']) && node['id'].type === 'ObjectPattern') {
    const { properties } = node['id']
    const owner = nameOf(node['init'])
    if (owner === undefined || !Array.isArray(properties)) return []
    return properties.flatMap((property: unknown) =>
      isNode(property) ? [`${owner}.${nameOf(property['key']) ?? '*'}`] : [],
    )
  }
  return []
}

/** Spells a property access, `object.property` or `object['property']`, without a leading `globalThis`. */
function pathOf(node: unknown): string | undefined {
  if (!isNode(node) || node.type !== 'MemberExpression') return undefined
  const property = node['computed'] === true ? textOf(node['property']) : nameOf(node['property'])
  const object = nameOf(node['object']) ?? pathOf(node['object'])
  if (object === undefined || property === undefined) return undefined
  return object === 'globalThis' ? property : `${object}.${property}`
}

function nameOf(node: unknown): string | undefined {
  return isNode(node) && node.type === 'Identifier' && typeof node['name'] === 'string'
    ? node['name']
    : undefined
}

function textOf(node: unknown): string | undefined {
  return isNode(node) && typeof node['value'] === 'string' ? node['value'] : undefined
}

function isTypeNode(node: Node): boolean {
  return node.type.startsWith('TS')
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value
}
