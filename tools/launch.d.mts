import type { LaunchOptions } from '@playwright/test'

/** Launch options for Playwright: Chromium as a whole or its headless shell, with storage partitioned by site or not. */
export function launchOptions(settings?: { whole?: boolean; partitioned?: boolean }): Promise<LaunchOptions>
