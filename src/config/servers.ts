import type { Server } from '../server.ts'

/** The servers known by name, in the order in which a key or an answer on its port is looked for. */
export const builtinServers: readonly Server[] = [
  {
    name: 'anthropic',
    dialect: 'anthropic',
    baseUrl: 'https://api.anthropic.com',
    apiKeyEnv: 'ANTHROPIC_API_KEY',
    defaultModel: 'claude-sonnet-4-6',
  },
  {
    name: 'openai',
    dialect: 'openai-chat',
    baseUrl: 'https://api.openai.com/v1',
    apiKeyEnv: 'OPENAI_API_KEY',
    quirks: { maxTokensField: 'max_completion_tokens' },
    defaultModel: 'gpt-5',
  },
  {
    name: 'openrouter',
    dialect: 'openai-chat',
    baseUrl: 'https://openrouter.ai/api/v1',
    apiKeyEnv: 'OPENROUTER_API_KEY',
    defaultModel: 'openrouter/auto',
  },
  {
    name: 'mistral',
    dialect: 'openai-chat',
    baseUrl: 'https://api.mistral.ai/v1',
    apiKeyEnv: 'MISTRAL_API_KEY',
    quirks: { streamOptions: false, callIdLength: 9 },
    defaultModel: 'mistral-medium-latest',
  },
  {
    name: 'xai',
    dialect: 'openai-chat',
    baseUrl: 'https://api.x.ai/v1',
    apiKeyEnv: 'XAI_API_KEY',
    defaultModel: 'grok-4',
  },
  {
    name: 'deepseek',
    dialect: 'openai-chat',
    baseUrl: 'https://api.deepseek.com/v1',
    apiKeyEnv: 'DEEPSEEK_API_KEY',
    defaultModel: 'deepseek-chat',
  },
  {
    name: 'groq',
    dialect: 'openai-chat',
    baseUrl: 'https://api.groq.com/openai/v1',
    apiKeyEnv: 'GROQ_API_KEY',
    defaultModel: 'openai/gpt-oss-120b',
  },
  { name: 'ollama', dialect: 'openai-chat', baseUrl: 'http://127.0.0.1:11434/v1' },
  { name: 'lmstudio', dialect: 'openai-chat', baseUrl: 'http://127.0.0.1:1234/v1' },
  { name: 'llamacpp', dialect: 'openai-chat', baseUrl: 'http://127.0.0.1:8080/v1' },
  { name: 'vllm', dialect: 'openai-chat', baseUrl: 'http://127.0.0.1:8000/v1' },
]
