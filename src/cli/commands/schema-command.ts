import type { Outputs } from '../../terminal/output.ts'

/** The names of the available schemas. */
export type SchemaName = 'events' | 'session' | 'config' | 'audit' | 'task' | 'envelope'

/** Prints the JSON Schema of what pipe writes or reads, generated from the schemas that validate it. */
export async function printSchema(name: SchemaName, { stdout }: Pick<Outputs, 'stdout'>): Promise<void> {
  const { jsonSchema } = await import('../../json/documents/json-schema.ts')
  const { title, open } = documents[name]
  stdout.write(`${JSON.stringify(jsonSchema(title, await open()), undefined, 2)}\n`)
}

const documents = {
  events: {
    title: 'A line of pipe -o stream-json',
    open: async () => (await import('../../json/documents/event-schema.ts')).eventLineSchema,
  },
  session: {
    title: 'A session file of pipe',
    open: async () => (await import('../../json/documents/schema.ts')).sessionSchema,
  },
  config: {
    title: 'Settings of pipe: config.json',
    open: async () => (await import('../../config/settings-schema.ts')).settingsSchema,
  },
  audit: {
    title: 'A line of an audit log of pipe',
    open: async () => (await import('../../json/audit/schema.ts')).auditLineSchema,
  },
  task: {
    title: 'A line of the log of tasks of pipe',
    open: async () => (await import('../../json/tasks/schema.ts')).taskLineSchema,
  },
  envelope: {
    title: 'What pipe -o pipe prints for the next pipe',
    open: async () => (await import('../../json/documents/hand-over-schema.ts')).handOverSchema,
  },
} satisfies Readonly<Record<SchemaName, unknown>>
