import { bigint, jsonb } from 'drizzle-orm/pg-core'

/** Unix milliseconds by the backend's own clock, so that a test can move it. */
export const time = (name: string) => bigint(name, { mode: 'number' })
/** Several of them, in rising order. */
export const times = (name: string) => jsonb(name).$type<number[]>().notNull().default([])
export const texts = (name: string) => jsonb(name).$type<string[]>().notNull().default([])
