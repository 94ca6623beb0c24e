import type { Quirks } from './request.ts'

/** A server that speaks Chat Completions: a row of this table, or one from the user's settings. */
export interface Server {
  readonly name: string
  /** With its version. */
  readonly baseUrl: string
  /** The variable that holds the key. A server without one needs none: it runs on this machine. */
  readonly apiKeyEnv?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly quirks?: Quirks
  /** What to talk to when only the key is there. */
  readonly defaultModel?: string
}

/** In the order in which a key or an answer on its port is looked for. */
export const builtinServers: readonly Server[] = [
  {
    name: 'openai',
    baseUrl: 'https://api.openai.com/v1',
    apiKeyEnv: 'OPENAI_API_KEY',
    quirks: { maxTokensField: 'max_completion_tokens' },
    defaultModel: 'gpt-5',
  },
  {
    name: 'openrouter',
    baseUrl: 'https://openrouter.ai/api/v1',
    apiKeyEnv: 'OPENROUTER_API_KEY',
    defaultModel: 'openrouter/auto',
  },
  {
    name: 'mistral',
    baseUrl: 'https://api.mistral.ai/v1',
    apiKeyEnv: 'MISTRAL_API_KEY',
    quirks: { streamOptions: false, callIdLength: 9 },
    defaultModel: 'mistral-medium-latest',
  },
  { name: 'xai', baseUrl: 'https://api.x.ai/v1', apiKeyEnv: 'XAI_API_KEY', defaultModel: 'grok-4' },
  {
    name: 'deepseek',
    baseUrl: 'https://api.deepseek.com/v1',
    apiKeyEnv: 'DEEPSEEK_API_KEY',
    defaultModel: 'deepseek-chat',
  },
  {
    name: 'groq',
    baseUrl: 'https://api.groq.com/openai/v1',
    apiKeyEnv: 'GROQ_API_KEY',
    defaultModel: 'openai/gpt-oss-120b',
  },
  { name: 'ollama', baseUrl: 'http://127.0.0.1:11434/v1' },
  { name: 'lmstudio', baseUrl: 'http://127.0.0.1:1234/v1' },
  { name: 'llamacpp', baseUrl: 'http://127.0.0.1:8080/v1' },
  { name: 'vllm', baseUrl: 'http://127.0.0.1:8000/v1' },
]
