import vue from '@vitejs/plugin-vue'
import { defineConfig } from 'vite'

/** The tags that are elements of Latchkey and no components. */
const isCustomElement = (tag: string) => tag === 'login-modal' || tag.startsWith('wallet-')

export default defineConfig({ plugins: [vue({ template: { compilerOptions: { isCustomElement } } })] })
