"""What keys look like: the published prefixes of providers, and the places where keys of no shape stand."""

from __future__ import annotations

import re

# A key begins where no letter or digit stands before it; an escape (`\n`, `%3D`, `\u003d`) is no such letter.
_START = r"(?:(?<![A-Za-z0-9])|(?<=\\[abfnrtv])|(?<=%[0-9A-Fa-f]{2})|(?<=\\u[0-9A-Fa-f]{4}))"

SHAPES: dict[str, str] = {
    "openai and whoever follows it": r"sk-(?=[\w-]*\d)[\w-]{8,}",  # also Anthropic, OpenRouter, DeepSeek
    "xai": r"xai-\w{20,}",
    "groq": r"gsk_\w{20,}",
    "cerebras": r"csk-\w{20,}",
    "google api": r"AIza[\w-]{30,}",
    "google oauth token": r"ya29\.[\w-]{20,}",
    "google oauth secret": r"GOCSPX-[\w-]{20,}",
    "hugging face": r"(?:hf|api_org)_[A-Za-z0-9]{20,}",
    "replicate": r"r8_\w{20,}",
    "perplexity": r"pplx-\w{20,}",
    "fireworks": r"fw_\w{20,}",
    "together": r"tgp_v1_[\w-]{20,}",
    "nvidia": r"nvapi-[\w-]{20,}",
    "zhipu": r"[0-9a-f]{32}\.\w{16}",
    "pinecone": r"pcsk_\w{20,}",
    "langsmith": r"lsv2_(?:pt|sk)_\w{20,}",
    "tavily": r"tvly-[\w-]{16,}",
    "e2b": r"e2b_\w{20,}",
    "github": r"gh[pousr]_\w{20,}",
    "github fine-grained": r"github_pat_\w{20,}",
    "gitlab": r"gl(?:pat|ptt|dt|rt)-[\w-]{16,}",
    "aws access": r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}",
    "aws bedrock": r"(?:ABSK|bedrock-api-key-)[\w+/=]{20,}",
    "azure storage": r"AccountKey=[\w+/]{40,}={0,2}",
    "azure client secret": r"[\w~.]{3}\dQ~[\w~.-]{31,34}",
    "stripe": r"(?:sk|rk|pk)_(?:live|test)_\w{8,}",
    "webhook secret": r"whsec_[\w+/=]{16,}",
    "slack": r"xox[abeoprs]-[\w-]{10,}",
    "slack app": r"xapp-\d-[\w-]{10,}",
    "slack webhook": r"hooks\.slack\.com/services/[\w/]{20,}",
    "twilio": r"SK[0-9a-f]{32}",
    "sendgrid": r"SG\.[\w-]{16,}\.[\w-]{16,}",
    "mailgun": r"key-[0-9a-f]{32}",
    "npm": r"npm_\w{20,}",
    "pypi": r"pypi-[\w-]{20,}",
    "docker": r"dckr_(?:pat|oat)_[\w-]{20,}",
    "databricks": r"dapi[0-9a-f]{32}(?:-\d)?",
    "digitalocean": r"do[opr]_v1_[0-9a-f]{32,}",
    "vault": r"hv[sbr]\.[\w-]{20,}",
    "telegram": r"\d{8,10}:[\w-]{35}",
    "shopify": r"shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}",
    "square": r"sq0[a-z]{3}-[\w-]{20,}",
    "grafana": r"gl(?:c|sa)_[\w+/=]{20,}",
    "linear": r"lin_api_\w{20,}",
    "notion": r"(?:ntn|secret)_[A-Za-z0-9]{30,}",
    "supabase": r"sb(?:p|_secret|_publishable)_\w{20,}",
    "doppler": r"dp\.(?:pt|st|ct|sa)\.\w{20,}",
    "age": r"AGE-SECRET-KEY-1[0-9A-Z]{50,}",
    "json web token": r"eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,}",
}

_PRIVATE_KEY = r"-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)"
_USERINFO = r"(?<=://)[^\s/@:\"']*:[^\s/@\"']+(?=@)"
_SECRET = r"(?=[\w.~+/=-]*\d)(?=[\w.~+/=-]*[A-Za-z])[\w.~+/=-]{8,}"
_SCHEME = r"\b(?P<scheme>(?i:bearer|basic)\s+)" + _SECRET
_NAME = (
    r"(?:(?:x-|x-goog-)?api[-_ ]?key|secret[-_]?(?:access[-_]?)?key|access[-_]?token|auth[-_]?token|client[-_]?secret"
    r"|private[-_]?key|session[-_]?token|refresh[-_]?token|password|passwd)"
)
_ASSIGNED = rf"(?P<name>(?i:{_NAME})[\\\"']*\s*[:=]\s*[\\\"']*)" + _SECRET

KEYS = re.compile(_START + "(?:" + "|".join(SHAPES.values()) + ")")
PLACES = re.compile("|".join((_PRIVATE_KEY, _USERINFO, _SCHEME, _ASSIGNED)), re.DOTALL)
