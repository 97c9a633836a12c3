CREATE TABLE "grant_amounts" (
	"use_id" text NOT NULL,
	"grant_id" text NOT NULL,
	"chain" text NOT NULL,
	"asset" text NOT NULL,
	"amount" numeric(78, 0) NOT NULL,
	"fee" numeric(78, 0) NOT NULL,
	"at" bigint NOT NULL,
	CONSTRAINT "grant_amounts_use_id_asset_pk" PRIMARY KEY("use_id","asset")
);
--> statement-breakpoint
CREATE TABLE "grant_uses" (
	"id" text PRIMARY KEY NOT NULL,
	"grant_id" text NOT NULL,
	"wallet_id" text NOT NULL,
	"key" text NOT NULL,
	"request" text NOT NULL,
	"chain" text NOT NULL,
	"target" text NOT NULL,
	"status" text NOT NULL,
	"hash" text,
	"raw" text,
	"nonce" bigint,
	"last_block" bigint,
	"at" bigint NOT NULL,
	"checked_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "grants" (
	"id" text PRIMARY KEY NOT NULL,
	"app_id" text NOT NULL,
	"user_id" text NOT NULL,
	"wallet_id" text NOT NULL,
	"permission" text NOT NULL,
	"terms" jsonb NOT NULL,
	"encrypted_share" text,
	"key_id" text NOT NULL,
	"sealed_share" text,
	"not_before" bigint NOT NULL,
	"not_after" bigint NOT NULL,
	"created_at" bigint NOT NULL,
	"ended_at" bigint,
	"ended_by" text
);
--> statement-breakpoint
ALTER TABLE "grant_amounts" ADD CONSTRAINT "grant_amounts_use_id_grant_uses_id_fk" FOREIGN KEY ("use_id") REFERENCES "public"."grant_uses"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "grant_uses" ADD CONSTRAINT "grant_uses_grant_id_grants_id_fk" FOREIGN KEY ("grant_id") REFERENCES "public"."grants"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "grants" ADD CONSTRAINT "grants_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "grants" ADD CONSTRAINT "grants_wallet_id_wallets_id_fk" FOREIGN KEY ("wallet_id") REFERENCES "public"."wallets"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "grant_amounts_asset" ON "grant_amounts" USING btree ("grant_id","chain","asset","at");--> statement-breakpoint
CREATE UNIQUE INDEX "grant_uses_key" ON "grant_uses" USING btree ("grant_id","key");--> statement-breakpoint
CREATE INDEX "grant_uses_at" ON "grant_uses" USING btree ("grant_id","at");--> statement-breakpoint
CREATE INDEX "grant_uses_wallet" ON "grant_uses" USING btree ("wallet_id","chain","nonce");--> statement-breakpoint
CREATE UNIQUE INDEX "grants_active" ON "grants" USING btree ("wallet_id") WHERE "grants"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "grants_user" ON "grants" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE INDEX "grants_wallet" ON "grants" USING btree ("wallet_id");--> statement-breakpoint
CREATE INDEX "grants_not_after" ON "grants" USING btree ("not_after");