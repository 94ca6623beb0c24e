// Brings src/catalog/models.json up to date with the facts that models.dev publishes (MIT), and prints what changed.
//   node scripts/refresh-catalog.js [URL [FILE]]
// What the source says replaces what we had; what it does not say, and how a model's thinking is set, stays as it was written by
// hand. Models keep their order; new ones are added at the end, but for OpenRouter, of whose hundreds we list a few.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const ours = fileURLToPath(new URL('../src/catalog/models.json', import.meta.url))
const [url = 'https://models.dev/api.json', file = ours] = process.argv.slice(2)

/** Providers of ours by the source's name for them. */
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
/** The fields that have a value, ours first. */
function present(object) {
  const keys = new Set([...fields, ...Object.keys(object)])
  return Object.fromEntries(
    [...keys].flatMap((key) => (object[key] === undefined ? [] : [[key, object[key]]])),
  )
}

/** A model of the source as a row of ours. */
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

/** Nothing for models that are free or without a price: a price of 0 is not known. */
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

/** A row of ours with what the source says of it; how it thinks stands where somebody wrote it down. */
function refreshRow(row, model) {
  const fresh = readModel(model)
  const price =
    row.price === undefined && fresh.price === undefined ? undefined : { ...row.price, ...fresh.price }
  return present({ ...row, ...fresh, thinking: row.thinking ?? fresh.thinking, price })
}

/** Our rows of one provider, in their order, then the models that are new. */
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

/** Whether it is for an agent: it writes text alone, calls tools, and is not on its way out. */
function isWanted({ tool_call, status, modalities }) {
  return Boolean(tool_call) && status !== 'deprecated' && modalities?.output?.join() === 'text'
}

/** A line for each field that is not as it was, one for a row that is new. */
function* changes(name, before, after) {
  if (before === undefined) yield `+ ${name} ${JSON.stringify(after)}`
  else
    for (const field of fields)
      if (JSON.stringify(before[field]) !== JSON.stringify(after[field]))
        yield `~ ${name} ${field}: ${JSON.stringify(before[field])} -> ${JSON.stringify(after[field])}`
}

/** The file as text, a model a line. */
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
