// `refresh-catalog.js [URL [FILE]]` updates src/catalog/models.json from models.dev (MIT) and prints the changes. Keeps our order, facts
// that the source lacks, and how a model's thinking is set. Appends new models, except OpenRouter's: we list a few of its hundreds.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const ours = fileURLToPath(new URL('../src/catalog/models.json', import.meta.url))
const [url = 'https://models.dev/api.json', file = ours] = process.argv.slice(2)

/** Maps the source's provider names to ours. */
const providers = {
  anthropic: 'anthropic',
  openai: 'openai',
  google: 'gemini',
  mistral: 'mistral',
  xai: 'xai',
  deepseek: 'deepseek',
  groq: 'groq',
  openrouter: 'openrouter',
}
const levels = { none: 'off', minimal: 'minimal', low: 'low', medium: 'medium', high: 'high', xhigh: 'xhigh' }
const fields = ['context_window', 'max_output', 'images', 'documents', 'tools', 'thinking', 'price']

const positive = (value) => (typeof value === 'number' && value > 0 ? value : undefined)
/** Keeps the fields that have a value. */
function present(object) {
  const keys = new Set([...fields, ...Object.keys(object)])
  return Object.fromEntries(
    [...keys].flatMap((key) => (object[key] === undefined ? [] : [[key, object[key]]])),
  )
}

/** Converts a model of the source to a row. */
function readModel({ limit = {}, modalities, tool_call, cost, ...model }) {
  const window = positive(limit.context)
  const output = positive(limit.output)
  const inputs = modalities?.input
  return present({
    context_window: window,
    // A limit as large as the window says nothing.
    max_output: output === window ? undefined : output,
    images: inputs?.includes('image'),
    documents: inputs?.includes('pdf') || undefined,
    tools: typeof tool_call === 'object' ? tool_call?.supported : tool_call,
    thinking: readThinking(model),
    price: readPrice(cost),
  })
}

function readThinking({ reasoning, reasoning_options: options = [] }) {
  if (reasoning === false) return 'none'
  const effort = options.find(({ type }) => type === 'effort')
  if (effort !== undefined) {
    const known = effort.values.flatMap((value) => levels[value] ?? [])
    return known.length > 0 ? { type: 'effort', levels: known } : undefined
  }
  const budget = options.find(({ type }) => type === 'budget_tokens')
  if (budget?.max === undefined) return undefined
  const optional = options.some(({ type }) => type === 'toggle')
  return { type: 'budget', min: budget.min ?? 0, max: budget.max, optional }
}

/** Returns nothing for a price of 0, which the source also uses for unknown ones. */
function readPrice(cost) {
  const rates = readRates(cost)
  if (rates === undefined) return undefined
  const tier = cost.tiers?.[0]
  const long = readRates(tier ?? cost.context_over_200k)
  const above = tier === undefined ? 200_000 : tier.tier?.size
  return long === undefined || above === undefined ? rates : { ...rates, long: { above, ...long } }
}

function readRates(cost) {
  if (positive(cost?.input) === undefined || positive(cost.output) === undefined) return undefined
  const { input, output } = cost
  return present({
    input,
    output,
    cache_read: positive(cost.cache_read),
    cache_write: positive(cost.cache_write),
  })
}

/** Updates a row from the source. Keeps how it thinks if that was written by hand. */
function refreshRow(row, model) {
  const fresh = readModel(model)
  const price =
    row.price === undefined && fresh.price === undefined ? undefined : { ...row.price, ...fresh.price }
  return present({ ...row, ...fresh, thinking: row.thinking ?? fresh.thinking, price })
}

/** Returns the rows of one provider in their order, then its new models. */
function refresh(provider, rows, models) {
  const known = Object.entries(rows).map(([id, row]) => [
    id,
    models[id] === undefined ? row : refreshRow(row, models[id]),
  ])
  const found = Object.entries(models)
    .filter(([id, model]) => rows[id] === undefined && provider !== 'openrouter' && isWanted(model))
    .map(([id, model]) => [id, readModel(model)])
  return Object.fromEntries([...known, ...found])
}

/** Whether an agent can use it: it writes only text, calls tools, and is not deprecated. */
function isWanted({ tool_call, status, modalities }) {
  return Boolean(tool_call) && status !== 'deprecated' && modalities?.output?.join() === 'text'
}

/** Yields a line for each changed field, and one for a new row. */
function* changes(name, before, after) {
  if (before === undefined) yield `+ ${name} ${JSON.stringify(after)}`
  else
    for (const field of fields)
      if (JSON.stringify(before[field]) !== JSON.stringify(after[field]))
        yield `~ ${name} ${field}: ${JSON.stringify(before[field])} -> ${JSON.stringify(after[field])}`
}

/** Formats the file, one model per line. */
function write({ date, sources, models }) {
  const rows = (of) =>
    Object.entries(of).map(([id, row]) => `      ${JSON.stringify(id)}: ${JSON.stringify(row)}`)
  const parts = Object.entries(models).map(
    ([provider, of]) => `    ${JSON.stringify(provider)}: {\n${rows(of).join(',\n')}\n    }`,
  )
  const list = sources.map((source) => `    ${JSON.stringify(source)}`).join(',\n')
  return `{\n  "date": ${JSON.stringify(date)},\n  "sources": [\n${list}\n  ],\n  "models": {\n${parts.join(',\n')}\n  }\n}\n`
}

async function main() {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`${url} answered with status ${response.status}`)
  const source = await response.json()
  const catalog = JSON.parse(readFileSync(file, 'utf8'))
  const models = { ...catalog.models }
  let count = 0
  for (const [theirs, provider] of Object.entries(providers)) {
    const found = source[theirs]?.models
    if (found === undefined) {
      console.log(`? ${provider}: the source does not know it`)
      continue
    }
    const before = models[provider] ?? {}
    models[provider] = refresh(provider, before, found)
    for (const [id, row] of Object.entries(models[provider])) {
      for (const line of changes(`${provider}/${id}`, before[id], row)) {
        console.log(line)
        count++
      }
      if (found[id] === undefined) console.log(`? ${provider}/${id}: the source does not know it`)
      else if (found[id].status === 'deprecated') console.log(`? ${provider}/${id}: deprecated`)
    }
  }
  const sources = [...new Set([url, ...catalog.sources])]
  writeFileSync(file, write({ date: new Date().toISOString().slice(0, 10), sources, models }))
  console.log(`${count} changes`)
}

try {
  await main()
} catch (error) {
  console.error(`refresh-catalog: ${error.message}`)
  process.exitCode = 1
}
