import type { LaunchOptions } from '@playwright/test'

/** Launch options for Playwright, with storage partitioned by site or not. */
export function launchOptions(settings: { partitioned: boolean }): Promise<LaunchOptions>
