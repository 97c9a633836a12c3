import type { Hono } from 'hono'
import type { Stored } from '../store/stored.ts'
import type { CoreServices, ServerEnv } from './services.ts'

/**
 * One thing that the backend does, with its tables, its rules and its routes. `features.ts` lists them all; nothing
 * else registers a route.
 */
export interface Feature<Needs extends CoreServices = CoreServices> extends Partial<Stored> {
  /** Starts it on a server. A tool that only opens the database does not. */
  start?: (services: Needs) => Running
}

/** A feature on a running server. */
export interface Running {
  /** Routes for everybody, without an app id. */
  publicRoutes?: (api: Hono<ServerEnv>) => void
  /** Routes for callers that may speak for the app which they name. */
  routes?: (api: Hono<ServerEnv>) => void
  /** Routes that are on the vault's own listener as well. */
  vaultRoutes?: (server: Hono<ServerEnv>) => void
  /** Ends what the start has begun. */
  close?: () => void
}
