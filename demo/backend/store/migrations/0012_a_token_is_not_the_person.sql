CREATE TABLE "device_requests" (
	"id" text PRIMARY KEY NOT NULL,
	"app_id" text NOT NULL,
	"user_id" text NOT NULL,
	"session_id" text NOT NULL,
	"thumbprint" text NOT NULL,
	"name" text NOT NULL,
	"place" text NOT NULL,
	"number" text NOT NULL,
	"numbers" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"status" text NOT NULL,
	"approved_by" text,
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "vault_passkeys" (
	"id" text NOT NULL,
	"app_id" text NOT NULL,
	"user_id" text NOT NULL,
	"rp_id" text NOT NULL,
	"public_key" text NOT NULL,
	"counter" bigint NOT NULL,
	"transports" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"user_handle" text NOT NULL,
	"name" text NOT NULL,
	"device_id" text NOT NULL,
	"created_at" bigint NOT NULL,
	CONSTRAINT "vault_passkeys_app_id_id_pk" PRIMARY KEY("app_id","id")
);
--> statement-breakpoint
CREATE TABLE "recovery_source_tries" (
	"wallet_id" text NOT NULL,
	"source" text NOT NULL,
	"user_id" text NOT NULL,
	"hits" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"total" integer DEFAULT 0 NOT NULL,
	"locked_until" bigint,
	CONSTRAINT "recovery_source_tries_wallet_id_source_pk" PRIMARY KEY("wallet_id","source")
);
--> statement-breakpoint
ALTER TABLE "mfa_recovery_codes" ADD COLUMN "created_at" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "confirmed_at" bigint;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "frozen_at" bigint;--> statement-breakpoint
ALTER TABLE "device_requests" ADD CONSTRAINT "device_requests_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "vault_passkeys" ADD CONSTRAINT "vault_passkeys_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recovery_source_tries" ADD CONSTRAINT "recovery_source_tries_wallet_id_wallet_roots_id_fk" FOREIGN KEY ("wallet_id") REFERENCES "public"."wallet_roots"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "device_requests_user" ON "device_requests" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "device_requests_expires" ON "device_requests" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "vault_passkeys_user" ON "vault_passkeys" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "recovery_source_tries_user" ON "recovery_source_tries" USING btree ("user_id","source");