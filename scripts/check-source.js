/**
 * Writes TypeScript functions that accept exactly what zod schemas accept, without zod. `checks` names the functions to export, each with
 * its schema and its type. `functions` are the names of functions that schemas call, in a Map. Throws for a schema that it cannot express.
 */
export function checkSource(checks, functions) {
  const writer = new Writer(functions)
  const exported = checks.map(({ name, schema, type }) => {
    const value = writer.expression(schema, 'value', name.replace(/^is/, ''))
    return `export function ${name}(value: unknown): value is ${type} {\n  return ${value}\n}\n`
  })
  return { source: [...exported, ...writer.sources].join('\n'), used: writer.used }
}

class Writer {
  /** Functions in the order in which they are called. */
  sources = []
  /** Names that the source imports. */
  used = new Set()
  #functions
  /** The functions of object and union schemas. */
  #names = new Map()

  constructor(functions) {
    this.#functions = functions
  }

  /** Returns an expression that tells whether `value`, another expression, is as the schema says. `name` is for new functions. */
  expression(schema, value, name) {
    const { def } = schema._zod
    return this.#bounds(def, value, name).reduce(
      (kind, bound) => {
        // These test the type too.
        const saysAll = /^(matches|isText)\(/.test(bound) && kind === `typeof ${value} === 'string'`
        return saysAll ? bound : `${kind} && ${bound}`
      },
      this.#kind(schema, value, name),
    )
  }

  #kind(schema, value, name) {
    const { def } = schema._zod
    switch (def.type) {
      case 'string':
        if (def.format === 'url') return `${this.#use('isAddress')}(${value}, ${def.protocol})`
        if (def.format !== undefined) throw unknown(name, `the format ${def.format}`)
        return `typeof ${value} === 'string'`
      case 'boolean':
        return `typeof ${value} === 'boolean'`
      case 'number':
        if (def.format === undefined) return `Number.isFinite(${value})`
        if (def.format === 'safeint') return `Number.isSafeInteger(${value})`
        throw unknown(name, `the format ${def.format}`)
      case 'literal':
        return oneOf(def.values, value)
      case 'enum':
        return oneOf(Object.values(def.entries), value)
      case 'optional':
        return `(${value} === undefined || ${this.expression(def.innerType, value, name)})`
      case 'nullable':
        return `(${value} === null || ${this.expression(def.innerType, value, name)})`
      case 'array':
        return `${this.#use('isListOf')}(${value}, ${this.#predicate(def.element, name)})`
      case 'record':
        return this.#record(def, value, name)
      case 'union':
        return def.discriminator === undefined
          ? `(${def.options.map((option, i) => this.expression(option, value, `${name}${i + 1}`)).join(' || ')})`
          : `${this.#named(schema, name, () => this.#choice(def, name))}(${value})`
      case 'object':
        return `${this.#named(schema, name, () => this.#object(schema, name))}(${value})`
      case 'custom':
        return `${this.#function(def.fn, name)}(${value})`
      case 'unknown':
        return `${value} !== undefined`
      default:
        throw unknown(name, `a schema of type ${def.type}`)
    }
  }

  /** Returns the conditions besides the type. Those of objects stand inside their functions. */
  #bounds({ type, checks = [] }, value, name) {
    if (type === 'object') return []
    return checks.map(({ _zod: { def } }) => {
      switch (def.check) {
        case 'min_length':
          return `${this.#use(type === 'string' ? 'isText' : 'hasLength')}(${value}, ${def.minimum})`
        case 'string_format':
          if (def.format !== 'regex') throw unknown(name, `the format ${def.format}`)
          return `${this.#use('matches')}(${value}, ${def.pattern})`
        case 'greater_than':
          return `${this.#use(def.inclusive ? 'isAtLeast' : 'isAbove')}(${value}, ${def.value})`
        case 'custom':
          return `${this.#function(def.fn, name)}(${value})`
        default:
          throw unknown(name, `the check ${def.check}`)
      }
    })
  }

  #record({ keyType, valueType, partial }, value, name) {
    if (keyType._zod.values !== undefined && partial !== true)
      throw unknown(name, 'a record of all these keys')
    const key = this.#predicate(keyType, `${name}Key`)
    return `${this.#use('isRecordOf')}(${value}, ${key}, ${this.#predicate(valueType, name)})`
  }

  #object({ _zod: { def } }, name) {
    const { checks = [], catchall } = def
    const kind = catchall?._zod.def.type ?? 'any'
    if (kind !== 'any' && kind !== 'never') throw unknown(name, 'an object that keeps other fields')
    const shape = Object.entries(def.shape)
    const only =
      kind === 'never' ? [`${this.#use('hasOnly')}(value, ${JSON.stringify(Object.keys(def.shape))})`] : []
    const fields = shape.map(([key, field]) => this.expression(field, `value['${key}']`, pascal(key)))
    const more = checks.map(({ _zod }) => `${this.#function(_zod.def.fn, name)}(value)`)
    return `return ${[`${this.#use('isJsonObject')}(value)`, ...only, ...fields, ...more].join(' && ')}`
  }

  /** A union told apart by one field. */
  #choice({ options, discriminator }, name) {
    const cases = options.flatMap((option) => {
      const words = option._zod.propValues[discriminator]
      return [...words].map((word) => {
        const chosen = this.expression(option, 'value', name + pascal(String(word)))
        return `    case ${JSON.stringify(word)}: return ${chosen}`
      })
    })
    return `if (!${this.#use('isJsonObject')}(value)) return false
  switch (value['${discriminator}']) {\n${cases.join('\n')}\n    default: return false\n  }`
  }

  /** Returns the name of the function that checks a schema, which is written at the first use. */
  #named(schema, wanted, write) {
    const known = this.#names.get(schema)
    if (known !== undefined) return known
    const name = this.#free(`has${wanted}Fields`)
    this.#names.set(schema, name)
    const place = this.sources.push('') - 1
    this.sources[place] = `function ${name}(value: unknown): boolean {\n  ${write()}\n}\n`
    return name
  }

  #free(name) {
    const taken = new Set(this.#names.values())
    for (let i = 2; taken.has(name); i++) if (!taken.has(`${name}${i}`)) return `${name}${i}`
    return name
  }

  /** Returns a function that checks one value of a list or record. */
  #predicate(schema, name) {
    const found = this.expression(schema, 'one', name)
    const [, called] = /^(\w+)\(one\)$/.exec(found) ?? []
    return called ?? `(one) => ${found}`
  }

  /** Returns the name by which to call a function of a schema. */
  #function(called, name) {
    const found = this.#functions.get(called)
    if (found === undefined) throw unknown(name, `the function ${called.name}, which is not exported`)
    return this.#use(found)
  }

  #use(name) {
    this.used.add(name)
    return name
  }
}

function oneOf(words, value) {
  const equal = words.map((word) => `${value} === ${JSON.stringify(word)}`)
  return equal.length === 1 ? equal[0] : `(${equal.join(' || ')})`
}

function pascal(name) {
  return name.replace(/(?:^|[_-])(\w)/g, (_, first) => first.toUpperCase())
}

function unknown(name, what) {
  return new Error(`cannot write a check of ${name}: it has ${what}`)
}
