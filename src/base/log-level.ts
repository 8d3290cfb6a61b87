/** How much the log tells: each level also tells what those before it do. */
export const logLevels = ['silent', 'error', 'warn', 'info', 'debug'] as const

export type LogLevel = (typeof logLevels)[number]
