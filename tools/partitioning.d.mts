import type { LaunchOptions } from '@playwright/test'

/** Launch options for Playwright that turn storage partitioning on. */
export function partitionedLaunch(): Promise<LaunchOptions>
